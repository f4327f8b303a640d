// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;

/**
 * A message that came in and is not dispatched yet.
 *
 * @param from the connection of the message and its answer
 * @param number the number for the answer; 0 if the sender expects none
 */
record Request(Connection from, long number, Message message) {}
