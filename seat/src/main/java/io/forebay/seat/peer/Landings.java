// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.base.BlockChecksums;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The destinations of payloads in answers of other seats. The caller gets no result, in time or
 * late, while bytes may still arrive: after the result it may reuse the memory.
 */
final class Landings {
  private final Calls calls;
  // Looked up only, never walked.
  private final Map<Long, ByteBuffer> targets = new HashMap<>();

  Landings(Calls calls) {
    this.calls = calls;
  }

  /** The answer to a question brings bytes, which fill the buffer. */
  void expect(long request, ByteBuffer target) {
    targets.put(request, target);
  }

  /** The question was answered otherwise, or not at all. */
  void forget(long request) {
    targets.remove(request);
  }

  Landing arriving(long request, Message message, int payloadBytes) {
    ByteBuffer target = targets.remove(request);
    if (target == null) return Landing.DISCARD;
    if (target.remaining() != payloadBytes || !(message instanceof Data.Got got)) {
      calls.answered(request, failed(ErrorCode.MALFORMED, "the answer has another length"));
      return Landing.DISCARD;
    }
    calls.arriving(request);
    return new Landing.Into(
        target.duplicate(),
        new Landing.Arrival() {
          @Override
          public void filled() {
            boolean right = BlockChecksums.firstMismatch(target, got.checksums().toArray()) < 0;
            calls.answered(
                request, right ? got : failed(ErrorCode.CORRUPT, "the bytes are not right"));
          }

          @Override
          public void aborted() {
            calls.failed(request);
          }
        });
  }

  private static Replies.Failed failed(ErrorCode code, String detail) {
    return new Replies.Failed(code, detail);
  }
}
