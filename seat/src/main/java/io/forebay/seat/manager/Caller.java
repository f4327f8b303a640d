package io.forebay.seat.manager;

import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;

/** Who asked something and waits for the answer. */
record Caller(Connection connection, long request) {
  void answer(Message message) {
    connection.send(request, message);
  }

  void done() {
    answer(new Replies.Done());
  }

  void fail(ErrorCode code, String sentence) {
    answer(new Replies.Failed(code, sentence));
  }

  void fail(Result.Refused refused) {
    fail(refused.code(), refused.sentence());
  }
}
