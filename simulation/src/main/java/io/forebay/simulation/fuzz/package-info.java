// SPDX-License-Identifier: Apache-2.0

/**
 * Messages that no correct program sends: generated, or derived from captured ones, some with
 * values of a running cluster. Pure and repeatable by seed; each maker has one owner. Start reading
 * at {@link io.forebay.simulation.fuzz.MessageMaker}.
 */
@NullMarked
package io.forebay.simulation.fuzz;

import org.jspecify.annotations.NullMarked;
