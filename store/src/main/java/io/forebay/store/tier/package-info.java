// SPDX-License-Identifier: Apache-2.0

/**
 * The space of segments: the layout of a store, and slots of memory and of SSD, each tier with its
 * budget. {@link io.forebay.store.tier.StoreConfig} is for all owners of a store, the rest for the
 * store's packages. Called by the store's owner only. Start reading at {@link
 * io.forebay.store.tier.SlotPool}.
 */
@NullMarked
package io.forebay.store.tier;

import org.jspecify.annotations.NullMarked;
