/* SPDX-License-Identifier: Apache-2.0
 * The operations on the graph of tensors, storages and operators (dtr-semantics section 3).
 */
#ifndef DTRMC_FIRMWARE_GRAPH_H_
#define DTRMC_FIRMWARE_GRAPH_H_

#include "firmware/state.h"

/* Makes the tensor defined: recomputes what is missing below it, evicting as needed. The tensor is not defined. */
void fw_materialise(struct fw_tensor* tensor);

void fw_evict(struct fw_storage* storage, enum dtrmc_action kind);

/* Locks the tensor's storage for good; rematerialises first where the tensor is not defined. */
void fw_pin(struct fw_tensor* tensor);

void fw_get(struct fw_tensor* tensor);

/* The last reference to a resident, unpinned storage evicts it. The tensor has a reference. */
void fw_release(struct fw_tensor* tensor);

#endif /* DTRMC_FIRMWARE_GRAPH_H_ */
