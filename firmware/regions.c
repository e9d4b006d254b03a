/* SPDX-License-Identifier: Apache-2.0
 * A region is an interior (storages that are not material, reached through such alone), a frontier (material ones met
 * on the way) and a sum (of the interior's computes as they stood when added). Material, unpinned storages have two;
 * pinned ones need none: they are never scored and never evicted, so nothing that is read depends on theirs, and
 * frontiers may hold them or not.
 *
 * simrd updates the caches of every storage around one that is evicted (absorb), and walks each of them anew when it
 * becomes material. Absorbing is cheap and done here as there. Walking is not: a region of a real trace has hundreds of
 * storages, and each execution would walk several. It is only done after the first view that links two existing
 * storages (an operator with such an output and an input on a storage other than the viewed one): from then on cached
 * regions can fall behind, and only simrd's own procedure gives its values.
 *
 * Before that, links only lead from older storages to newer ones, an operator's inputs are all material when it runs,
 * and the caches equal reachability but for two transients. So a storage s that becomes material
 *   has an empty reverse region, whose frontier is its inputs' storages,
 *   takes from the forward regions of those inputs itself and what they reached through it alone: the graph has no
 *     cycle, so that is what is left without a predecessor in the region, found by following s's links (`cut`),
 *   leaves the reverse regions of what it reaches, where nothing else was reached through it.
 * The transients:
 *   The outputs of the operator in progress exist (`pending`) without being material. A forward region walked before it
 *     has run counts them: `cut` is where simrd walks, so it adds them. Regions that are not walked do not count them.
 *   A view on an evicted storage (`grown`) changes that one's compute at once; sums with the old value keep it until
 *     walked. A stamp per region tells whether its sum has the new one; `take_grown` is called where simrd walks.
 *
 * Links are those of the operators: an input's storage and an output's, where they differ.
 */
#include "firmware/regions.h"

#include "firmware/arena.h"
#include "firmware/heuristic.h"
#include "firmware/pool.h"
#include "firmware/region_set.h"

struct fw_region {
  uint64_t compute; /* ns, modulo 2^64 */
  struct fw_set_node* interior;
  struct fw_set_node* frontier;
  uint32_t grown; /* fw.regions.grown_stamp when the sum took in the grown storage at its new compute */
};

struct fw_regions {
  union {
    struct fw_region forward;
    struct fw_regions* next_free;
  };
  struct fw_region reverse;
};

static inline bool tracked(const struct fw_storage* storage) { return storage->material && !storage->pinned; }

/* The regions of a tracked storage; empty ones where its own turn in `materialised` has yet to come. */
static struct fw_regions* regions_of(struct fw_storage* storage) {
  if (storage->regions != NULL) return storage->regions;
  struct fw_regions* regions = fw.regions.free_regions;
  if (regions == NULL) {
    regions = fw_arena_record(sizeof(struct fw_regions));
  } else {
    fw.regions.free_regions = regions->next_free;
    *regions = (struct fw_regions){.reverse = {0}};
    regions->forward = (struct fw_region){0};
  }
  storage->regions = regions;
  return regions;
}

static void clear(struct fw_region* region) {
  fw_set_clear(&region->interior);
  fw_set_clear(&region->frontier);
  region->compute = 0;
}

static void free_regions(struct fw_storage* storage) {
  struct fw_regions* const regions = storage->regions;
  if (regions == NULL) return;
  clear(&regions->forward);
  clear(&regions->reverse);
  regions->next_free = fw.regions.free_regions;
  fw.regions.free_regions = regions;
  storage->regions = NULL;
}

/* After a region of the storage changed. */
static void update_cost(struct fw_storage* storage) {
  const struct fw_regions* const regions = storage->regions;
  uint64_t cost = storage->compute + regions->reverse.compute;
  if (fw.heuristic->uses_forward_region) cost += regions->forward.compute;
  if (storage->cost == (int64_t)cost) return;
  storage->cost = (int64_t)cost;
  fw_cost_changed(storage);
}

/* Calls visit(neighbour, context) for the storage of each child or parent; one may come several times. */
__attribute__((always_inline)) static inline void for_each_child(struct fw_storage* storage,
                                                                 void (*visit)(struct fw_storage*, void*),
                                                                 void* context) {
  for (struct fw_input* use = storage->uses; use != NULL; use = use->next_use) {
    struct fw_operator* const op = fw_operator_of_input(use);
    for (uint32_t i = 0; i < op->output_count; ++i) {
      struct fw_storage* const other = fw_output(op, i)->storage;
      if (other != storage) visit(other, context);
    }
  }
}

__attribute__((always_inline)) static inline void for_each_parent(struct fw_storage* storage,
                                                                  void (*visit)(struct fw_storage*, void*),
                                                                  void* context) {
  for (struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) {
    struct fw_operator* const op = tensor->op;
    for (uint32_t i = 0; i < op->input_count; ++i) {
      struct fw_storage* const other = op->inputs[i].tensor->storage;
      if (other != storage) visit(other, context);
    }
  }
}

/* --- walking */

struct walk {
  struct fw_region* region;
  struct fw_set_node** interior_place;
  struct fw_set_node** frontier_place;
  struct fw_storage* last; /* of the queue, which runs through the storages of the interior */
};

static void next_mark(void) {
  if (++fw.regions.mark != 0) return;
  for (uint32_t index = 0; index < fw.regions.indices; ++index) {
    struct fw_storage* const storage = fw_directory_at(index);
    if (storage != NULL) storage->mark = 0;
  }
  fw.regions.mark = 1;
}

static void meet(struct fw_storage* other, void* context) {
  struct walk* const walk = context;
  if (other->mark == fw.regions.mark) return;
  other->mark = fw.regions.mark;
  struct fw_region* const region = walk->region;
  if (!other->material) {
    fw_set_insert_near(&region->interior, &walk->interior_place, other->index);
    region->compute += other->compute;
    other->walk_next = NULL;
    walk->last->walk_next = other;
    walk->last = other;
  } else if (!other->pinned) {
    fw_set_insert_near(&region->frontier, &walk->frontier_place, other->index);
  }
}

static void rebuild(struct fw_storage* base, bool forward) {
  struct fw_regions* const regions = regions_of(base);
  struct fw_region* const region = forward ? &regions->forward : &regions->reverse;
  clear(region);
  region->grown = fw.regions.grown_stamp;
  struct walk walk = {region, &region->interior, &region->frontier, base};
  next_mark();
  base->mark = fw.regions.mark;
  base->walk_next = NULL;
  for (struct fw_storage* at = base; at != NULL; at = at->walk_next) {
    if (forward) {
      for_each_child(at, meet, &walk);
    } else {
      for_each_parent(at, meet, &walk);
    }
  }
}

/* simrd's own procedure. */
static void rebuild_around(struct fw_storage* storage) {
  rebuild(storage, true);
  rebuild(storage, false);
  struct fw_storage* other;
  struct fw_set_cursor above = fw_set_begin(storage->regions->reverse.frontier);
  while ((other = fw_set_next(&above)) != NULL) {
    rebuild(other, true);
    update_cost(other);
  }
  struct fw_set_cursor below = fw_set_begin(storage->regions->forward.frontier);
  while ((other = fw_set_next(&below)) != NULL) {
    rebuild(other, false);
    update_cost(other);
  }
}

/* --- the same without walking */

/* Where simrd walks the region. */
static void take_grown(struct fw_region* region) {
  const struct fw_region_state* const state = &fw.regions;
  if (state->grown == NULL || region->grown == state->grown_stamp ||
      !fw_set_contains(region->interior, state->grown->index)) {
    return;
  }
  region->compute += state->grown_by;
  region->grown = state->grown_stamp;
}

/* The forward region of `base` still reaches the storage. */
static bool supported(const struct fw_storage* storage, const struct fw_storage* base, const struct fw_region* region) {
  for (const struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) {
    const struct fw_operator* const op = tensor->op;
    for (uint32_t i = 0; i < op->input_count; ++i) {
      const struct fw_storage* const other = op->inputs[i].tensor->storage;
      if (other == storage || other->material) {
        if (other == base) return true;
      } else if (fw_set_contains(region->interior, other->index)) {
        return true;
      }
    }
  }
  return false;
}

static void take_pending(const struct fw_storage* base, struct fw_region* region) {
  struct fw_operator* const op = fw.regions.pending;
  if (op == NULL) return;
  bool first = true;
  for (uint32_t i = 0; i < op->output_count; ++i) {
    const struct fw_tensor* const output = fw_output(op, i);
    if (output->alias) continue;
    /* All of them have the same inputs. */
    if (first && !supported(output->storage, base, region)) return;
    first = false;
    if (fw_set_insert(&region->interior, output->storage->index)) region->compute += output->storage->compute;
  }
}

struct cut {
  struct fw_storage* base;
  struct fw_region* region;
  struct fw_storage* lost; /* stack of storages that left the interior and whose links have not been followed */
};

static void lose(struct fw_storage* other, void* context) {
  struct cut* const cut = context;
  struct fw_region* const region = cut->region;
  if (!other->material) {
    if (!fw_set_contains(region->interior, other->index) || supported(other, cut->base, region)) return;
    fw_set_erase(&region->interior, other->index);
    region->compute -= other->compute;
    other->walk_next = cut->lost;
    cut->lost = other;
  } else if (fw_set_contains(region->frontier, other->index) && !supported(other, cut->base, region)) {
    fw_set_erase(&region->frontier, other->index);
    if (tracked(other)) fw_set_erase(&regions_of(other)->reverse.frontier, cut->base->index);
  }
}

/* No link leads from the storage to one that is not material, so its forward region has no interior. */
static bool is_closed(struct fw_storage* storage) {
  for (struct fw_input* use = storage->uses; use != NULL; use = use->next_use) {
    struct fw_operator* const op = fw_operator_of_input(use);
    for (uint32_t i = 0; i < op->output_count; ++i) {
      if (!fw_output(op, i)->storage->material) return false;
    }
  }
  return true;
}

/* `storage` became material; its input `base` no longer reaches through it. */
static void cut(struct fw_storage* base, struct fw_storage* storage) {
  struct fw_region* const region = &regions_of(base)->forward;
  if (is_closed(base)) {
    /* Along a chain all is lost at once, and nothing is left to walk. */
    struct fw_set_node* before = region->frontier;
    region->frontier = NULL;
    rebuild(base, true);
    struct fw_storage* other;
    struct fw_set_cursor cursor = fw_set_begin(before);
    while ((other = fw_set_next(&cursor)) != NULL) {
      if (tracked(other) && other->mark != fw.regions.mark) {
        fw_set_erase(&regions_of(other)->reverse.frontier, base->index);
      }
    }
    fw_set_clear(&before);
    update_cost(base);
    return;
  }
  take_grown(region);
  if (fw_set_erase(&region->interior, storage->index)) {
    region->compute -= storage->compute;
    storage->walk_next = NULL;
    struct cut cut = {base, region, storage};
    do {
      struct fw_storage* const at = cut.lost;
      cut.lost = at->walk_next;
      for_each_child(at, lose, &cut);
    } while (cut.lost != NULL);
  }
  fw_set_insert(&region->frontier, storage->index);
  take_pending(base, region);
  update_cost(base);
}

static void collect(struct fw_storage* other, void* context) {
  struct fw_region* const region = context;
  if (tracked(other)) fw_set_insert(&region->frontier, other->index);
}

static void settle(struct fw_storage* storage) {
  struct fw_region_state* const state = &fw.regions;
  if (state->pending != NULL) {
    for (uint32_t i = 0; i < state->pending->output_count; ++i) {
      const struct fw_tensor* const output = fw_output(state->pending, i);
      if (output->alias || output->storage != storage) continue;
      state->pending = NULL; /* it has run */
      break;
    }
  }
  rebuild(storage, true);
  struct fw_storage* other;
  struct fw_region* const above = &storage->regions->reverse;
  clear(above);
  for_each_parent(storage, collect, above);
  struct fw_set_cursor inputs = fw_set_begin(above->frontier);
  while ((other = fw_set_next(&inputs)) != NULL) cut(other, storage);
  struct fw_set_cursor below = fw_set_begin(storage->regions->forward.frontier);
  while ((other = fw_set_next(&below)) != NULL) {
    struct fw_region* const region = &regions_of(other)->reverse;
    take_grown(region);
    if (fw_set_erase(&region->interior, storage->index)) region->compute -= storage->compute;
    fw_set_insert(&region->frontier, storage->index);
    update_cost(other);
  }
  if (state->grown == storage) state->grown = NULL; /* no sum holds it any more */
}

/* --- hooks */

void fw_regions_created(struct fw_storage* storage) { fw_directory_enter(storage); }

void fw_regions_compute_grew(struct fw_storage* storage, const struct fw_operator* by) {
  (void)by;
  if (storage->regions != NULL) update_cost(storage);
}

void fw_regions_linked(struct fw_operator* op) {
  struct fw_region_state* const state = &fw.regions;
  state->pending = NULL;
  for (uint32_t i = 0; i < op->output_count; ++i) {
    const struct fw_tensor* const output = fw_output(op, i);
    if (!output->alias) {
      state->pending = op;
      continue;
    }
    if (!output->storage->material) {
      state->grown = output->storage;
      state->grown_by = op->cost;
      ++state->grown_stamp; /* operators are fewer than 2^32 */
    }
    for (uint32_t j = 0; j < op->input_count; ++j) {
      if (op->inputs[j].tensor->storage != output->storage) state->walks = true;
    }
  }
}

void fw_regions_materialised(struct fw_storage* storage) {
  if (fw.regions.walks) {
    rebuild_around(storage);
  } else {
    settle(storage);
  }
  update_cost(storage);
  fw_cost_changed(storage);
}

/* Every storage in the frontier takes `storage`, evicted just now, and its own region into its region. */
__attribute__((always_inline)) static inline void absorb(const struct fw_set_node* frontier, struct fw_storage* storage,
                                                         bool forward) {
  const struct fw_region_state* const state = &fw.regions;
  const struct fw_region* const own = forward ? &storage->regions->forward : &storage->regions->reverse;
  const bool brings_grown = state->grown != NULL && fw_set_contains(own->interior, state->grown->index);
  struct fw_storage* other;
  struct fw_set_cursor cursor = fw_set_begin(frontier);
  while ((other = fw_set_next(&cursor)) != NULL) {
    if (!tracked(other)) continue;
    struct fw_regions* const regions = regions_of(other);
    struct fw_region* const region = forward ? &regions->forward : &regions->reverse;
    fw_set_erase(&region->frontier, storage->index);
    fw_set_unite(&region->frontier, own->frontier);
    if (fw_set_insert(&region->interior, storage->index)) region->compute += storage->compute;
    if (brings_grown && !fw_set_contains(region->interior, state->grown->index)) region->grown = state->grown_stamp;
    region->compute += fw_set_unite_computes(&region->interior, own->interior);
    update_cost(other);
  }
}

void fw_regions_evicted(struct fw_storage* storage) {
  absorb(storage->regions->reverse.frontier, storage, true);
  absorb(storage->regions->forward.frontier, storage, false);
  free_regions(storage);
}

void fw_regions_pinned(struct fw_storage* storage) { free_regions(storage); }

#if defined(DTRMC_FIRMWARE_CHECKS)
/* Its index will mean another storage: no set may hold it. */
static bool is_in_no_region(const struct fw_storage* storage) {
  for (uint32_t index = 0; index < fw.regions.indices; ++index) {
    const struct fw_storage* const other = fw_directory_at(index);
    if (other == NULL || other->regions == NULL) continue;
    const struct fw_region* const both[] = {&other->regions->forward, &other->regions->reverse};
    for (uint32_t i = 0; i < 2; ++i) {
      if (fw_set_contains(both[i]->interior, storage->index) || fw_set_contains(both[i]->frontier, storage->index)) {
        return false;
      }
    }
  }
  return true;
}
#endif

void fw_regions_gone(struct fw_storage* storage) {
#if defined(DTRMC_FIRMWARE_CHECKS)
  hal_check(is_in_no_region(storage));
#endif
  if (fw.regions.grown == storage) fw.regions.grown = NULL;
  fw_directory_leave(storage);
}
