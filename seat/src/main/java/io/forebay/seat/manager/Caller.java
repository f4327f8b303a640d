package io.forebay.seat.manager;

import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;

/** Who asked something and waits for the answer. */
record Caller(Connection connection, long request) {
  private static final int SENTENCE_CHARS_MAX = 1000;

  void answer(Message message) {
    connection.send(request, message);
  }

  void done() {
    answer(new Replies.Done());
  }

  /** Sentences quote what was asked for, which may be long. */
  void fail(ErrorCode code, String sentence) {
    boolean fits = sentence.length() <= SENTENCE_CHARS_MAX;
    String told = fits ? sentence : sentence.substring(0, SENTENCE_CHARS_MAX) + "…";
    answer(new Replies.Failed(code, told));
  }

  void fail(Result.Refused refused) {
    fail(refused.code(), refused.sentence());
  }
}
