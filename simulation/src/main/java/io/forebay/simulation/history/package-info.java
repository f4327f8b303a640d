// SPDX-License-Identifier: Apache-2.0

/**
 * Checks what several clients saw against what Forebay promises: a client sees its own writes at
 * once, others see them once they are published, and overlapping writes without an order leave each
 * byte with one of the values written, never anything else. Pairs are put whole, one after another.
 *
 * <p>The program that runs the clients records a {@link io.forebay.simulation.history.History}
 * while they work, with bytes made by {@link io.forebay.simulation.history.Stamp}, and passes it to
 * {@link io.forebay.simulation.history.check.HistoryChecker} in the end. One thread, no clock, no
 * randomness.
 *
 * <p><b>What is checked of files.</b> A file's published content is changed by batches (what one
 * publish, close or truncation of a client publishes, in the order of writing) and by truncations,
 * each at one time between begin and end of the operation. If the end of the operation is unknown,
 * the change may also happen later, or never; but only once, in whole records, and not after the
 * end of the session. A read sees of each byte what its client has not published yet or else what
 * is published, as it is at some time between begin and end of the read; for each byte this may be
 * another time. It follows that nothing stale is read, nothing vanishes, nothing comes back,
 * nothing is torn, and that all readers see one order of changes, the same in all parts of a file.
 * If a publish was not answered, a client that continues to use the file must publish the same
 * again with the next one, or drop it by closing.
 *
 * <p><b>What is checked of pairs.</b> Puts, gets and deletes of one key can be put into one order
 * in which each sees what the one before it left. That is decided exactly, unless too many
 * operations are open at once, which is reported. Different keys are not compared.
 *
 * <p><b>What is not checked.</b> Names (files go by their number), sizes (a read behind the end
 * counts as zeros), appending, and writes of more records than fit into one publish. The checker
 * does not try whether several free choices are possible together: among tiny histories with
 * changed reads, a few percent of the impossible ones pass for this reason.
 *
 * <p>Start reading at {@link io.forebay.simulation.history.check.HistoryChecker}; the idea is in
 * {@code PublishOrder} and {@code PairStates}.
 */
@NullMarked
package io.forebay.simulation.history;

import org.jspecify.annotations.NullMarked;
