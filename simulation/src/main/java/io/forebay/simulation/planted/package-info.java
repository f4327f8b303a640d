// SPDX-License-Identifier: Apache-2.0

/**
 * Faults in our own code, so that the simulation can show that it would notice them: which methods
 * of the product they rewrite, and the search for seeds that show them. A fault exists only in
 * classes that a {@link io.forebay.simulation.planted.RewritingLoader} defines; nothing here is
 * loaded by such a loader, except for {@code .body}. Entered by tests and the command, from any
 * thread. Reads class files, which no core may do. Start reading at {@link
 * io.forebay.simulation.planted.PlantedBug}.
 */
@NullMarked
package io.forebay.simulation.planted;

import org.jspecify.annotations.NullMarked;
