// SPDX-License-Identifier: Apache-2.0

/**
 * Messages that no honest program sends: made from nothing, or from what was captured, with values
 * that are true in a running cluster among them. Pure and repeatable by seed; each maker has one
 * owner. Start reading at {@link io.forebay.simulation.fuzz.MessageMaker}.
 */
@NullMarked
package io.forebay.simulation.fuzz;

import org.jspecify.annotations.NullMarked;
