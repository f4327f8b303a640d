// SPDX-License-Identifier: Apache-2.0

/**
 * The rights of clients to read and write records (P28): a seat knows the keys of trees, or asks
 * their homes for them.
 *
 * <p>Called by the seat's loop only. Reads, names and the door may enter. Start reading at {@link
 * io.forebay.seat.right.RecordRights}.
 */
@NullMarked
package io.forebay.seat.right;

import org.jspecify.annotations.NullMarked;
