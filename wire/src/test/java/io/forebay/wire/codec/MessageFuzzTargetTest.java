// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.codec;

import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.RandomMessages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Any bytes are a message or malformed, and a message that was read is written with the same bytes.
 * An input is the number of a message in two bytes, and its fields.
 */
class MessageFuzzTargetTest {
  private static final int CHANGED = 20_000;
  private static final AllocationBound BOUND = new AllocationBound(256 * 1024, 300);

  @Test
  void anyBytesAreAMessageOrMalformed() {
    List<byte[]> valid = new ArrayList<>();
    RandomMessages messages = new RandomMessages(new SplittableRandom(1));
    for (Class<? extends Message> type : MessageTypes.all()) {
      for (int i = 0; i < 3; i++) {
        ByteBuffer fields = encoded(messages.of(type));
        ByteBuffer input = ByteBuffer.allocate(Short.BYTES + fields.remaining());
        valid.add(input.putShort((short) MessageTypes.code(type)).put(fields).array());
      }
    }
    new FuzzRun(MessageFuzzTargetTest.class, "messages", valid)
        .play(MessageFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < Short.BYTES) return;
    BOUND.check(input.length, () -> read(ByteBuffer.wrap(input)));
  }

  private static void read(ByteBuffer input) {
    int code = input.getShort();
    ByteBuffer fields = input.slice();
    Message message;
    try {
      message = MessageCodec.read(code, fields.duplicate());
    } catch (MalformedFields refused) {
      return;
    }
    if (!encoded(message).equals(fields)) {
      throw new AssertionError("written otherwise than it was read: " + message);
    }
    Message again;
    try {
      again = MessageCodec.read(code, encoded(message));
    } catch (MalformedFields e) {
      throw new AssertionError("not read again: " + message, e);
    }
    if (!again.equals(message) || again.hashCode() != message.hashCode()) {
      throw new AssertionError(message + " became " + again);
    }
  }

  private static ByteBuffer encoded(Message message) {
    FieldWriter out = new FieldWriter();
    MessageCodec.write(message, out);
    return out.written();
  }
}
