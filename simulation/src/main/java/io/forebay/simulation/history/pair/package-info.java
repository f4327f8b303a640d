// SPDX-License-Identifier: Apache-2.0

/**
 * Checks that puts, gets and deletes of each key are linearizable. Entered by {@link
 * io.forebay.simulation.history.check.HistoryChecker} only. One thread. Start reading at {@link
 * io.forebay.simulation.history.pair.PairCheck}.
 */
@NullMarked
package io.forebay.simulation.history.pair;

import org.jspecify.annotations.NullMarked;
