// SPDX-License-Identifier: Apache-2.0

/**
 * What rewritten classes and the program share. Start reading at {@link
 * io.forebay.simulation.planted.border.Player}.
 */
@NullMarked
package io.forebay.simulation.planted.border;

import org.jspecify.annotations.NullMarked;
