// SPDX-License-Identifier: Apache-2.0

/**
 * What {@code forebay chaos} does, without what it prints: writers on a ring of real processes, who
 * remember outside of it what they meant to write and what was acknowledged; faults that hit the
 * processes meanwhile; and the comparison of both at the end. Start reading at {@link
 * io.forebay.cli.chaos.Chaos}.
 */
@NullMarked
package io.forebay.cli.chaos;

import org.jspecify.annotations.NullMarked;
