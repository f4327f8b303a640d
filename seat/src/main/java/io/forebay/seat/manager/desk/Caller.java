// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.function.BiConsumer;

/**
 * A caller that waits for an answer.
 *
 * @param answered gets the answer as well, and a note on what it is about; the note may be empty
 */
public record Caller(Connection connection, long request, BiConsumer<Message, String> answered) {
  private static final int SENTENCE_CHARS_MAX = 1000;

  /** One whose answer is for itself only. */
  public Caller(Connection connection, long request) {
    this(connection, request, (message, note) -> {});
  }

  public void answer(Message message) {
    answer(message, "");
  }

  /**
   * The same.
   *
   * @param note what neither request nor answer tell, for an audit
   */
  public void answer(Message message, String note) {
    answered.accept(message, note);
    connection.send(request, message);
  }

  public void done() {
    answer(new Replies.Done());
  }

  /** Sentences quote requests, which may be long. */
  public void fail(ErrorCode code, String sentence) {
    boolean fits = sentence.length() <= SENTENCE_CHARS_MAX;
    String told = fits ? sentence : sentence.substring(0, SENTENCE_CHARS_MAX) + "…";
    answer(new Replies.Failed(code, told));
  }

  public void fail(Result.Refused refused) {
    fail(refused.code(), refused.sentence());
  }
}
