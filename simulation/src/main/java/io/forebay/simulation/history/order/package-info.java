// SPDX-License-Identifier: Apache-2.0

/**
 * Searches for an order of a file's changes that explains every read. Entered by {@link
 * io.forebay.simulation.history.check.HistoryChecker} only. One thread. Start reading at {@link
 * io.forebay.simulation.history.order.PublishOrder}.
 */
@NullMarked
package io.forebay.simulation.history.order;

import org.jspecify.annotations.NullMarked;
