// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.MalformedFrame.Kind;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.RandomMessages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FramesTest {
  private final Frames frames = new Frames();
  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(FramesTest.class));
  private final RandomMessages messages = new RandomMessages(random);

  private byte[] encoded(Message message, int payloadBytes) {
    ByteBuffer frame = frames.encode(77, message, payloadBytes);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  private Message read(ByteBuffer in) throws MalformedFrame {
    return frames.body(frames.head(in, WireLimits.BODY_BYTES_MAX), in);
  }

  private void assertRefused(byte[] frame, Kind kind) {
    assertThatThrownBy(() -> read(ByteBuffer.wrap(frame)))
        .isInstanceOfSatisfying(
            MalformedFrame.class, e -> assertThat(e.kind()).as(e.what()).isEqualTo(kind));
  }

  /** Puts a value into a head and corrects the checksum, as somebody of ill will would. */
  private static byte[] forge(byte[] frame, int offset, long value, int bytes) {
    ByteBuffer view = ByteBuffer.wrap(frame);
    if (bytes == Long.BYTES) view.putLong(offset, value);
    else view.putInt(offset, (int) value);
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, Frames.HEAD_CRC_OFFSET);
    view.putInt(Frames.HEAD_CRC_OFFSET, (int) crc.getValue());
    return frame;
  }

  /** No array could hold all of it. */
  @Test
  void aMessageThatIsFarTooLongIsNotWrittenToItsEnd() {
    Names.PutFile file = new Names.PutFile(1, "x".repeat(1 << 20), 0, 0, 1, 0, List.of());
    Message message = new Names.PutFiles(Collections.nCopies(1 << 20, file));
    assertThatThrownBy(() -> frames.encode(1, message, Frames.NO_PAYLOAD))
        .isInstanceOf(MessageTooLong.class)
        .hasMessage("PutFiles of more than 4194304 bytes");
  }

  @Test
  void anyMessageComesBackAndTheNextOneFollows() throws MalformedFrame {
    for (int i = 0; i < 2000; i++) {
      Message first = messages.any();
      Message second = messages.any();
      byte[] one = encoded(first, 0);
      byte[] two = encoded(second, Frames.NO_PAYLOAD);
      ByteBuffer both = ByteBuffer.allocateDirect(one.length + two.length).put(one).put(two).flip();
      FrameHead head = frames.head(both, WireLimits.BODY_BYTES_MAX);
      assertThat(head.request()).isEqualTo(77);
      assertThat(head.hasPayload()).isTrue();
      assertThat(head.payloadBytes()).isZero();
      assertThat(frames.body(head, both)).isEqualTo(first);
      FrameHead next = frames.head(both, WireLimits.BODY_BYTES_MAX);
      assertThat(next.hasPayload()).isFalse();
      assertThat(frames.body(next, both)).isEqualTo(second);
      assertThat(both.hasRemaining()).isFalse();
    }
  }

  /** These bytes never change, so that any two versions can refuse each other in words. */
  @Test
  void greetingsKeepTheirBytes() {
    Handshake.Hello hello =
        new Handshake.Hello(
            1,
            2,
            Handshake.Role.SEAT,
            Handshake.Lane.INGEST,
            0x0102030405060708L,
            "n1",
            9,
            Bytes.copyOf(new byte[] {5}));
    assertThat(HexFormat.of().formatHex(encoded(hello, Frames.NO_PAYLOAD)))
        .isEqualTo(
            "46424159" // magic
                + "00000001" // code
                + "00000025" // body bytes
                + "ffffffffffffffff" // no payload
                + "000000000000004d" // request
                + "d14284b0" // body checksum
                + "92350608" // head checksum
                + "0000000100000002" // versions
                + "0101" // role and lane
                + "0102030405060708" // cluster
                + "000000026e31" // node
                + "0000000000000009" // sender
                + "0000000105"); // credentials
    Handshake.Refusal refusal = new Handshake.Refusal(ErrorCode.WRONG_VERSION, "no");
    assertThat(HexFormat.of().formatHex(encoded(refusal, Frames.NO_PAYLOAD)))
        .isEqualTo(
            "464241590000000300000007ffffffffffffffff000000000000004d6db5275f35b4af14"
                + "18000000026e6f");
  }

  @Test
  void everyChangedBitIsSeen() {
    byte[] frame = encoded(new Maps.MapIs(3, Bytes.copyOf(new byte[20])), Frames.NO_PAYLOAD);
    for (int bit = 0; bit < frame.length * 8; bit++) {
      byte[] changed = frame.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      Kind expected = Kind.BODY_CORRUPT;
      if (bit / 8 < Frames.CODE_OFFSET) expected = Kind.FOREIGN;
      else if (bit / 8 < Frames.HEAD_BYTES) expected = Kind.HEAD_CORRUPT;
      assertRefused(changed, expected);
    }
  }

  @Test
  void lengthsOutOfBoundsAreRefusedEvenIfTheyAreMeant() {
    Message message = new Maps.GetMap(1);
    long tebibyte = 1L << 40;
    for (long payload : new long[] {WireLimits.PAYLOAD_BYTES_MAX + 1L, tebibyte, -2, 1L << 63}) {
      assertRefused(
          forge(encoded(message, 0), Frames.PAYLOAD_BYTES_OFFSET, payload, Long.BYTES),
          Kind.PAYLOAD_TOO_LONG);
    }
    for (int body : new int[] {WireLimits.BODY_BYTES_MAX + 1, Integer.MAX_VALUE, -1}) {
      assertRefused(
          forge(encoded(message, 0), Frames.BODY_BYTES_OFFSET, body, Integer.BYTES),
          Kind.BODY_TOO_LONG);
    }
    assertRefused(
        forge(encoded(message, 0), Frames.CODE_OFFSET, 9999, Integer.BYTES), Kind.UNKNOWN_MESSAGE);
    assertRefused(
        forge(encoded(message, 0), Frames.CODE_OFFSET, 4, Integer.BYTES), Kind.BODY_MALFORMED);
  }

  @Test
  void strangersAreCalledByName() {
    ByteBuffer http = ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> frames.checkStart(http))
        .isInstanceOf(MalformedFrame.class)
        .hasMessageContaining("an HTTP request");
    ByteBuffer tls = ByteBuffer.wrap(new byte[] {0x16, 3, 1, 2});
    assertThatThrownBy(() -> frames.checkStart(tls)).hasMessageContaining("a TLS handshake");
  }
}
