// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;

/**
 * A message that came in and is not dispatched yet.
 *
 * @param from the connection that it came on, where its answer goes
 * @param number names the answer; 0 if the sender wants none
 */
record Request(Connection from, long number, Message message) {}
