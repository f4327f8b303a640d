// SPDX-License-Identifier: Apache-2.0

/**
 * The home's answers about names and files: sessions, rights, and open files.
 *
 * <p>Called by the seat's loop only. Draining and the group may enter; what names need of draining
 * is {@code BackedTrees}. Start reading at {@link io.forebay.seat.names.HomeNames}.
 */
@NullMarked
package io.forebay.seat.names;

import org.jspecify.annotations.NullMarked;
