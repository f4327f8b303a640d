// SPDX-License-Identifier: Apache-2.0

/**
 * How far files have come on their way to the backing store, and waiting until they are stored.
 * {@link io.forebay.client.durability.Ledger}, {@link io.forebay.client.durability.DrainProgress}
 * and {@link io.forebay.client.durability.NotDurableException} are for applications, the rest for
 * {@link io.forebay.client.Forebay}. Each wait belongs to the thread that calls it. Start reading
 * at {@link io.forebay.client.durability.DurableWait}.
 */
@NullMarked
package io.forebay.client.durability;

import org.jspecify.annotations.NullMarked;
