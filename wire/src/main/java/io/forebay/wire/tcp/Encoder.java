// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.LogPace;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MessageTooLong;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encodes the messages of one connection. */
final class Encoder {
  private static final Logger LOG = LoggerFactory.getLogger(Encoder.class);

  private final Frames frames;
  private final LogPace pace;
  private final String remote;
  private final boolean answers;

  /**
   * Uses the loop's frames.
   *
   * @param answers whether the other end asks and this one answers
   */
  Encoder(Frames frames, LogPace pace, String remote, boolean answers) {
    this.frames = frames;
    this.pace = pace;
    this.remote = remote;
    this.answers = answers;
  }

  /** An answer that is longer than messages can be ends its request, not the process. */
  ByteBuffer encode(long request, Message message, int payloadBytes) {
    try {
      return frames.encode(request, message, payloadBytes);
    } catch (MessageTooLong e) {
      if (!answers || request == 0 || payloadBytes != Frames.NO_PAYLOAD) throw e;
      pace.log("too long", () -> remote + " is not answered: " + e.getMessage(), LOG::error);
      Message instead = new Replies.Failed(ErrorCode.TOO_LARGE, "the answer is too long to send");
      return frames.encode(request, instead, payloadBytes);
    }
  }
}
