// SPDX-License-Identifier: Apache-2.0

/**
 * The kinds of faults that a run can have, and their counts. Values only, for all packages of the
 * simulation; their tests, which have whole clusters survive single faults, are here too. One
 * thread. Start reading at {@link io.forebay.simulation.fault.FaultKind}.
 */
@NullMarked
package io.forebay.simulation.fault;

import org.jspecify.annotations.NullMarked;
