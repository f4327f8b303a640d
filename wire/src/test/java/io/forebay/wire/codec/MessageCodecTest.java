// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.RandomMessages;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every message survives its codec, and nothing else gets through it. */
class MessageCodecTest {
  private static final int ROUNDS = 60;
  private static final int MUTATIONS = 30;

  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(MessageCodecTest.class));
  private final RandomMessages messages = new RandomMessages(random);

  private static byte[] encode(Message message) {
    FieldWriter out = new FieldWriter();
    MessageCodec.write(message, out);
    byte[] bytes = new byte[out.length()];
    out.written().get(bytes);
    return bytes;
  }

  @Test
  void everyMessageComesBackAsItWas() throws MalformedFields {
    for (Class<? extends Message> type : MessageTypes.all()) {
      for (int i = 0; i < ROUNDS; i++) {
        Message message = messages.of(type);
        byte[] bytes = encode(message);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        assertThat(MessageCodec.read(MessageTypes.code(type), direct)).isEqualTo(message);
      }
    }
  }

  @Test
  void whatIsWrittenByHandHasTheSameBytes() throws MalformedFields {
    List<Class<? extends Message>> byHand = new ArrayList<>();
    for (Class<? extends Message> type : MessageTypes.all()) {
      for (int i = 0; i < ROUNDS; i++) {
        Message message = messages.of(type);
        FieldWriter generic = new FieldWriter();
        MessageCodec.FIELDS.write((Record) message, generic);
        FieldWriter hand = new FieldWriter();
        if (!HotMessages.write(message, hand)) break;
        if (i == 0) byHand.add(type);
        assertThat(hand.written()).isEqualTo(generic.written());
        FieldReader in = new FieldReader(generic.written());
        assertThat(HotMessages.read(MessageTypes.code(type), in)).isEqualTo(message);
      }
    }
    assertThat(byHand)
        .containsExactly(
            Data.Put.class,
            Data.PutDone.class,
            Data.Replicate.class,
            Data.Confirm.class,
            Data.Get.class,
            Data.Got.class);
  }

  /** Bytes that one codec refuses, the other does too. */
  @Test
  void whatIsReadByHandIsAsStrict() {
    for (int i = 0; i < ROUNDS * MUTATIONS; i++) {
      Message message = messages.any();
      int code = MessageTypes.code(message.getClass());
      byte[] bytes = mutate(encode(message));
      Object generic = outcome(() -> MessageCodec.FIELDS.read(message.getClass(), reader(bytes)));
      Object hand = outcome(() -> HotMessages.read(code, reader(bytes)));
      if (hand != null) assertThat(hand).isEqualTo(generic);
    }
  }

  private interface Reading {
    Object read() throws MalformedFields;
  }

  private static Object outcome(Reading reading) {
    try {
      return reading.read();
    } catch (MalformedFields e) {
      return "malformed: " + e.getMessage();
    }
  }

  private static FieldReader reader(byte[] bytes) {
    return new FieldReader(ByteBuffer.wrap(bytes));
  }

  @Test
  void bytesThatAreNoMessageAreMalformedAndNothingElse() {
    for (Class<? extends Message> type : MessageTypes.all()) {
      for (int i = 0; i < ROUNDS; i++) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        readOrReject(MessageTypes.code(type), bytes);
      }
    }
  }

  @Test
  void changedMessagesAreMalformedOrOthersAndNothingElse() {
    for (int i = 0; i < ROUNDS * MUTATIONS; i++) {
      Message message = messages.any();
      byte[] bytes = mutate(encode(message));
      readOrReject(MessageTypes.code(message.getClass()), bytes);
      readOrReject(MessageTypes.code(messages.any().getClass()), bytes);
    }
  }

  private byte[] mutate(byte[] bytes) {
    if (bytes.length == 0) return new byte[random.nextInt(4)];
    byte[] mutated = bytes.clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(mutated.length);
      // Bytes that make lengths huge, negative or zero, more often than chance would.
      byte[] favourites = {0, -1, 0x7f, (byte) 0x80, (byte) random.nextInt()};
      mutated[at] = favourites[random.nextInt(favourites.length)];
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 8) : bytes.length;
    return Arrays.copyOf(mutated, length);
  }

  /** Whatever is accepted is written the same way again. */
  private static void readOrReject(int code, byte[] bytes) {
    Message message;
    try {
      message = MessageCodec.read(code, ByteBuffer.wrap(bytes));
    } catch (MalformedFields e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(encode(message)).isEqualTo(bytes);
  }

  @Test
  void unknownNumbersAndTrailingBytesAreNamed() {
    assertThatThrownBy(() -> MessageCodec.read(9999, ByteBuffer.allocate(0)))
        .isInstanceOf(MalformedFields.class)
        .hasMessageContaining("9999");
    assertThatThrownBy(
            () -> MessageCodec.read(MessageTypes.code(Replies.Done.class), ByteBuffer.allocate(3)))
        .isInstanceOf(MalformedFields.class)
        .hasMessageContaining("3 bytes too many")
        .hasMessageContaining("Done");
  }

  @Test
  void aWriteOfTheSmallestPiecesFitsIntoAMessage() {
    Drains.Source longest =
        new Drains.Source(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            new GroupId(Integer.MAX_VALUE),
            new RecordId(-1, -1),
            Integer.MAX_VALUE);
    String name = "n".repeat(4096);
    Drains.WriteChunk chunk =
        new Drains.WriteChunk(
            new GroupId(Integer.MAX_VALUE),
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            new Drains.AttemptIs(name, name, Long.MAX_VALUE, -1, -1, -1, -1, name),
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            new Drains.Backed(name, name, Long.MAX_VALUE),
            Collections.nCopies(Drains.SOURCES_MAX, longest));
    assertThat(MessageCodec.lengthBytes(chunk)).isLessThan(WireLimits.BODY_BYTES_MAX);
  }
}
