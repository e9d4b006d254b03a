/* SPDX-License-Identifier: Apache-2.0
 * dtr-eq: cost = compute + the values of the distinct equivalence classes of evicted neighbours.
 *
 * Costs are kept, not recomputed. Every storage that is not material is a member of one class. For every material,
 * unpinned storage y and class k with a member beside y there is one link (y, k) that counts the edges between y and
 * members of k; y's cost contains k's value once for that link. Only edges of the storage that is evicted or becomes
 * material are ever walked, and long-dead members of a class cost nothing.
 *
 * Classes change far more often than decisions are taken, so costs contain the value that a class had at the last
 * decision (`told`); before the next one, classes that changed since tell the difference to their links' storages.
 *
 * An edge is one input of an operator and one of its outputs, on different storages; both sides count it alike
 * (a walk goes over the tensors of a storage, not over distinct operators).
 *
 * Classes and links die and are born all the time: they come from one list of free nodes.
 */
#include "firmware/arena.h"
#include "firmware/heuristic.h"
#include "firmware/pool.h"

struct fw_eq_class {
  int64_t value;
  int64_t told;
  struct fw_storage* members;
  struct fw_eq_link* links;
  struct fw_eq_class* next_changed;
  struct fw_eq_class* previous_changed;
  uint32_t weight; /* members and links: of two classes to merge, the lighter one is relabelled */
  bool changed;    /* in the list of classes with value != told, perhaps */
};

struct fw_eq_link {
  struct fw_storage* storage;
  struct fw_eq_class* eq_class;
  struct fw_eq_link* next_of_storage; /* next in the free list */
  struct fw_eq_link* next_of_class;
  struct fw_eq_link* previous_of_class;
  uint32_t edges;
};

static struct fw_eq_link* take_link(void) {
  struct fw_eq_link* const link = fw.eq.free_links;
  if (link == NULL) return fw_arena_record(sizeof(struct fw_eq_link));
  fw.eq.free_links = link->next_of_storage;
  return link;
}

static void free_link(struct fw_eq_link* link) {
  link->next_of_storage = fw.eq.free_links;
  fw.eq.free_links = link;
}

/* Sums wrap instead of overflowing where a trace drives them beyond 64 bits. */
static inline int64_t add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t subtract(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

static void add_cost(struct fw_storage* storage, int64_t difference) {
  storage->cost = add(storage->cost, difference);
  fw_cost_changed(storage);
}

/* Calls visit(neighbour, storage) for every edge of the storage. */
__attribute__((always_inline)) static inline void for_each_edge(struct fw_storage* storage,
                                                                void (*visit)(struct fw_storage*, struct fw_storage*)) {
  for (struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) {
    struct fw_operator* const op = tensor->op;
    for (uint32_t i = 0; i < op->input_count; ++i) {
      struct fw_storage* const other = op->inputs[i].tensor->storage;
      if (other != storage) visit(other, storage);
    }
  }
  for (struct fw_input* use = storage->uses; use != NULL; use = use->next_use) {
    struct fw_operator* const op = fw_operator_of_input(use);
    for (uint32_t i = 0; i < op->output_count; ++i) {
      struct fw_storage* const other = fw_output(op, i)->storage;
      if (other != storage) visit(other, storage);
    }
  }
}

static struct fw_eq_class* new_class(void) {
  struct fw_eq_class* eq_class = fw.eq.free_classes;
  if (eq_class == NULL) return fw_arena_record(sizeof(struct fw_eq_class));
  fw.eq.free_classes = eq_class->next_changed;
  *eq_class = (struct fw_eq_class){0};
  return eq_class;
}

static void list_changed(struct fw_eq_class* eq_class) {
  if (eq_class->changed) return;
  eq_class->changed = true;
  eq_class->previous_changed = NULL;
  eq_class->next_changed = fw.eq.changed;
  if (fw.eq.changed != NULL) fw.eq.changed->previous_changed = eq_class;
  fw.eq.changed = eq_class;
}

static void free_class(struct fw_eq_class* eq_class) {
  if (eq_class->changed) {
    if (eq_class->next_changed != NULL) eq_class->next_changed->previous_changed = eq_class->previous_changed;
    if (eq_class->previous_changed != NULL) {
      eq_class->previous_changed->next_changed = eq_class->next_changed;
    } else {
      fw.eq.changed = eq_class->next_changed;
    }
  }
  eq_class->next_changed = fw.eq.free_classes;
  fw.eq.free_classes = eq_class;
}

static void add_member(struct fw_storage* storage, struct fw_eq_class* eq_class) {
  storage->eq_class = eq_class;
  storage->eq_previous = NULL;
  storage->eq_next = eq_class->members;
  if (eq_class->members != NULL) eq_class->members->eq_previous = storage;
  eq_class->members = storage;
  ++eq_class->weight;
}

static void change_value(struct fw_eq_class* eq_class, int64_t difference) {
  if (difference == 0) return;
  eq_class->value = add(eq_class->value, difference);
  list_changed(eq_class);
}

static void settle(void) {
  for (struct fw_eq_class* eq_class = fw.eq.changed; eq_class != NULL; eq_class = eq_class->next_changed) {
    eq_class->changed = false;
    const int64_t difference = subtract(eq_class->value, eq_class->told);
    eq_class->told = eq_class->value;
    if (difference == 0) continue;
    for (struct fw_eq_link* link = eq_class->links; link != NULL; link = link->next_of_class) {
      add_cost(link->storage, difference);
    }
  }
  fw.eq.changed = NULL;
}

static struct fw_eq_link* find_link(const struct fw_storage* storage, const struct fw_eq_class* eq_class) {
  struct fw_eq_link* link = storage->eq_links;
  while (link != NULL && link->eq_class != eq_class) link = link->next_of_storage;
  return link;
}

static void enter_class(struct fw_eq_link* link, struct fw_eq_class* eq_class) {
  link->eq_class = eq_class;
  link->previous_of_class = NULL;
  link->next_of_class = eq_class->links;
  if (eq_class->links != NULL) eq_class->links->previous_of_class = link;
  eq_class->links = link;
  ++eq_class->weight;
}

static void leave_class(struct fw_eq_link* link) {
  if (link->next_of_class != NULL) link->next_of_class->previous_of_class = link->previous_of_class;
  if (link->previous_of_class != NULL) {
    link->previous_of_class->next_of_class = link->next_of_class;
  } else {
    link->eq_class->links = link->next_of_class;
  }
  --link->eq_class->weight;
}

static void leave_storage(struct fw_eq_link* link) {
  struct fw_eq_link** place = &link->storage->eq_links;
  while (*place != link) place = &(*place)->next_of_storage;
  *place = link->next_of_storage;
}

/* One more edge between a material storage and a member of the class. */
static void add_edge(struct fw_storage* material, struct fw_eq_class* eq_class) {
  if (material->pinned) return; /* never a candidate again */
  struct fw_eq_link* link = find_link(material, eq_class);
  if (link == NULL) {
    link = take_link();
    link->storage = material;
    link->edges = 0;
    link->next_of_storage = material->eq_links;
    material->eq_links = link;
    enter_class(link, eq_class);
    if (eq_class->told != 0) add_cost(material, eq_class->told);
  }
  ++link->edges;
}

static void remove_edge(struct fw_storage* material, struct fw_eq_class* eq_class) {
  if (material->pinned) return;
  struct fw_eq_link* const link = find_link(material, eq_class);
  if (--link->edges != 0) return;
  leave_class(link);
  leave_storage(link);
  free_link(link);
  if (eq_class->told != 0) add_cost(material, subtract(0, eq_class->told));
}

static void drop_links(struct fw_storage* storage) {
  struct fw_eq_link* link = storage->eq_links;
  storage->eq_links = NULL;
  while (link != NULL) {
    struct fw_eq_link* const next = link->next_of_storage;
    leave_class(link);
    free_link(link);
    link = next;
  }
}

/* Merges two classes; the heavier one stays and is returned. */
static struct fw_eq_class* merge(struct fw_eq_class* kept, struct fw_eq_class* gone) {
  if (kept->weight < gone->weight) {
    struct fw_eq_class* const other = kept;
    kept = gone;
    gone = other;
  }
  /* Costs that contain both have been told kept->told + gone->told, but the merged class has one told value: the kept
   * one's, so that only the gone class's storages are visited. */
  const int64_t difference = subtract(kept->told, gone->told);
  for (struct fw_eq_link* link = gone->links; link != NULL;) {
    struct fw_eq_link* const next = link->next_of_class;
    struct fw_eq_link* const same = find_link(link->storage, kept);
    if (same != NULL) {
      same->edges += link->edges;
      if (gone->told != 0) add_cost(link->storage, subtract(0, gone->told));
      leave_storage(link);
      free_link(link);
    } else {
      if (difference != 0) add_cost(link->storage, difference);
      enter_class(link, kept);
    }
    link = next;
  }
  change_value(kept, gone->value);
  for (struct fw_storage* member = gone->members; member != NULL;) {
    struct fw_storage* const next = member->eq_next;
    add_member(member, kept);
    member = next;
  }
  free_class(gone);
  return kept;
}

static void created(struct fw_storage* storage) { add_member(storage, new_class()); }

static void compute_grew(struct fw_storage* storage, const struct fw_operator* by) {
  /* A class keeps the value that its member had when it was evicted. */
  if (storage->eq_class == NULL) add_cost(storage, (int64_t)by->cost);
}

static void linked(struct fw_operator* op) {
  for (uint32_t i = 0; i < op->input_count; ++i) {
    struct fw_storage* const input = op->inputs[i].tensor->storage;
    for (uint32_t j = 0; j < op->output_count; ++j) {
      struct fw_storage* const output = fw_output(op, j)->storage;
      if (input == output) continue;
      if (input->eq_class == NULL && output->eq_class != NULL) add_edge(input, output->eq_class);
      if (input->eq_class != NULL && output->eq_class == NULL) add_edge(output, input->eq_class);
    }
  }
}

static void left_class(struct fw_storage* other, struct fw_storage* storage) {
  if (other->eq_class != NULL) {
    add_edge(storage, other->eq_class);
  } else {
    remove_edge(other, fw.eq.current);
  }
}

/* Several storages may become material together; each counts as a member of its class until its own turn. */
static void materialised(struct fw_storage* storage) {
  struct fw_eq_class* const eq_class = storage->eq_class;
  if (storage->eq_next != NULL) storage->eq_next->eq_previous = storage->eq_previous;
  if (storage->eq_previous != NULL) {
    storage->eq_previous->eq_next = storage->eq_next;
  } else {
    eq_class->members = storage->eq_next;
  }
  --eq_class->weight;
  storage->eq_class = NULL;
  storage->eq_links = NULL;
  storage->cost = (int64_t)storage->compute;
  fw_cost_changed(storage);
  /* Without members the class dies with its last link, and no cost has to learn of its value first. */
  const bool dies = eq_class->members == NULL;
  if (!dies) change_value(eq_class, subtract(0, (int64_t)storage->compute));
  fw.eq.current = eq_class;
  for_each_edge(storage, left_class);
  if (dies) free_class(eq_class);
}

static void merge_with(struct fw_storage* other, struct fw_storage* storage) {
  (void)storage;
  if (other->eq_class == NULL || other->eq_class == fw.eq.current) return;
  fw.eq.current = fw.eq.current == NULL ? other->eq_class : merge(fw.eq.current, other->eq_class);
}

static void became_evicted(struct fw_storage* other, struct fw_storage* storage) {
  if (other->eq_class == NULL) add_edge(other, storage->eq_class);
}

static void evicted(struct fw_storage* storage) {
  drop_links(storage);
  /* Its fresh class and all neighbours' classes become one; which of the objects survives makes no difference. */
  fw.eq.current = NULL;
  for_each_edge(storage, merge_with);
  struct fw_eq_class* const eq_class = fw.eq.current != NULL ? fw.eq.current : new_class();
  change_value(eq_class, (int64_t)storage->compute);
  add_member(storage, eq_class);
  for_each_edge(storage, became_evicted);
}

/* What it has put into the class's value stays there. */
static void gone(struct fw_storage* storage) {
  struct fw_eq_class* const eq_class = storage->eq_class;
  if (eq_class == NULL) return; /* pinned */
  if (storage->eq_next != NULL) storage->eq_next->eq_previous = storage->eq_previous;
  if (storage->eq_previous != NULL) {
    storage->eq_previous->eq_next = storage->eq_next;
  } else {
    eq_class->members = storage->eq_next;
  }
  --eq_class->weight;
  if (eq_class->members == NULL) free_class(eq_class); /* links are for edges to members */
}

extern const struct fw_heuristic fw_dtr_eq;
const struct fw_heuristic fw_dtr_eq = {.uses_size = true,
                                       .uses_staleness = true,
                                       .links = FW_LINKS_NEIGHBOURS,
                                       .created = created,
                                       .compute_grew = compute_grew,
                                       .linked = linked,
                                       .materialised = materialised,
                                       .evicted = evicted,
                                       .pinned = drop_links,
                                       .gone = gone,
                                       .settle = settle};
