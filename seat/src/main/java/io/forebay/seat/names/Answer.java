// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.function.Consumer;

/**
 * The destination of one answer.
 *
 * @param answered gets the answer as well
 */
record Answer(Connection connection, long request, Consumer<Message> answered) {
  /** One that is for the sender only. */
  Answer(Connection connection, long request) {
    this(connection, request, message -> {});
  }

  void send(Message message) {
    answered.accept(message);
    connection.send(request, message);
  }

  void failed(ErrorCode code, String detail) {
    send(new Replies.Failed(code, detail));
  }
}
