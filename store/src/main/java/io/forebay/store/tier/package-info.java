/**
 * The room segments live in: slots of memory and of SSD, each tier with its budget. Called by the
 * store's owner only. Start reading at {@link io.forebay.store.tier.SlotPool}.
 */
@NullMarked
package io.forebay.store.tier;

import org.jspecify.annotations.NullMarked;
