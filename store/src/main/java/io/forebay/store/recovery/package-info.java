// SPDX-License-Identifier: Apache-2.0

/**
 * Recovers the contents of a log after any damage: reads slots, trusts nothing, reports defects.
 * Changes nothing. Each object belongs to one thread. Start reading at {@link
 * io.forebay.store.recovery.SlotScanner}.
 */
@NullMarked
package io.forebay.store.recovery;

import org.jspecify.annotations.NullMarked;
