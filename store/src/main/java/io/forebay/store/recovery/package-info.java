// SPDX-License-Identifier: Apache-2.0

/**
 * Finding again what a log holds, whatever happened to it: reads slots, trusts nothing, reports
 * what is wrong. Changes nothing. Each object belongs to one thread. Start reading at {@link
 * io.forebay.store.recovery.SlotScanner}.
 */
@NullMarked
package io.forebay.store.recovery;

import org.jspecify.annotations.NullMarked;
