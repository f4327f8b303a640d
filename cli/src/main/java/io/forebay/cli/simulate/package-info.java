// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code forebay simulate}: one seed, a campaign of seeds, or the search for planted
 * faults. Entered by the root command. Runs on the main thread unless a class says otherwise. Start
 * reading at {@link io.forebay.cli.simulate.SimulateCommand}.
 */
@NullMarked
package io.forebay.cli.simulate;

import org.jspecify.annotations.NullMarked;
