// SPDX-License-Identifier: Apache-2.0

/**
 * Deliberate faults in our own code, so that the simulation can show that it would notice them.
 * Immutable, for any thread. Start reading at {@link io.forebay.base.planted.PlantedBug}.
 */
@NullMarked
package io.forebay.base.planted;

import org.jspecify.annotations.NullMarked;
