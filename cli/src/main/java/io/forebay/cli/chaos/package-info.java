// SPDX-License-Identifier: Apache-2.0

/**
 * The work of {@code forebay chaos}, without its output: writers on a ring of real processes, which
 * record outside the ring what they attempted and what was acknowledged; faults of the processes at
 * the same time; and the comparison at the end. Start reading at {@link
 * io.forebay.cli.chaos.Chaos}.
 */
@NullMarked
package io.forebay.cli.chaos;

import org.jspecify.annotations.NullMarked;
