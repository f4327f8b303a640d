// SPDX-License-Identifier: Apache-2.0

/**
 * What is loaded together with rewritten classes: the static methods that they call instead of
 * their own code, and what plays a seed with them. Only rewritten classes and {@link
 * io.forebay.simulation.planted.RewritingLoader} enter. Start reading at {@link
 * io.forebay.simulation.planted.body.SeedPlayer}.
 */
@NullMarked
package io.forebay.simulation.planted.body;

import org.jspecify.annotations.NullMarked;
