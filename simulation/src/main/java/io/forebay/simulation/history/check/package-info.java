// SPDX-License-Identifier: Apache-2.0

/**
 * The entry point of the checks of a history. Entered by runs and tests. One thread. Start reading
 * at {@link io.forebay.simulation.history.check.HistoryChecker}.
 */
@NullMarked
package io.forebay.simulation.history.check;

import org.jspecify.annotations.NullMarked;
