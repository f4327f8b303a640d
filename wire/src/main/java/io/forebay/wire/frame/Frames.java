// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.FieldsTooLong;
import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.WireLimits;
import io.forebay.wire.codec.MessageCodec;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.frame.MalformedFrame.Kind;
import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The layout of a frame: a head, the fields of a message (the body), and a payload if the message
 * has one. Numbers are big-endian.
 *
 * <pre>
 * magic | code | body bytes | payload bytes | request | body CRC32C | head CRC32C | body | payload
 *   4      4        4              8            8          4             4
 * </pre>
 *
 * <p>The head's checksum covers everything before it, so a damaged length is detected, and every
 * length is compared with its bound before memory is allocated for it. The payload has no checksum
 * here: each message with a payload carries the checksums of its blocks, which the client computed
 * and which stay with the bytes forever; a message without checksums must not have a payload. The
 * head never changes, so that any two versions can tell each other that they differ.
 *
 * <p>Each instance has one owner and holds its encoding buffer.
 */
public final class Frames {
  /** In place of a payload's length; a payload of length 0 is something else. */
  public static final int NO_PAYLOAD = -1;

  /** The longest body of the first message each way: the peer is still unknown. */
  public static final int GREETING_BYTES_MAX = 16 * 1024;

  /** The letters FBAY. */
  static final int MAGIC = 0x46424159;

  static final int MAGIC_OFFSET = 0;
  static final int CODE_OFFSET = MAGIC_OFFSET + Integer.BYTES;
  static final int BODY_BYTES_OFFSET = CODE_OFFSET + Integer.BYTES;
  // A long, so that a length that is out of all bounds is seen as such.
  static final int PAYLOAD_BYTES_OFFSET = BODY_BYTES_OFFSET + Integer.BYTES;
  static final int REQUEST_OFFSET = PAYLOAD_BYTES_OFFSET + Long.BYTES;
  static final int BODY_CRC_OFFSET = REQUEST_OFFSET + Long.BYTES;
  static final int HEAD_CRC_OFFSET = BODY_CRC_OFFSET + Integer.BYTES;

  public static final int HEAD_BYTES = HEAD_CRC_OFFSET + Integer.BYTES;

  private static final int TLS_HANDSHAKE = 0x16;

  /** Stops at the bound: a message may name far more than fits. */
  private final FieldWriter out = new FieldWriter(HEAD_BYTES + WireLimits.BODY_BYTES_MAX);

  private final CRC32C crc = new CRC32C();

  /**
   * Head and body of a message.
   *
   * @param payloadBytes how long its payload is, or {@link #NO_PAYLOAD}
   * @return bytes that are valid until the next call
   */
  public ByteBuffer encode(long request, Message message, int payloadBytes) {
    if (payloadBytes > WireLimits.PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a payload of " + payloadBytes + " bytes; at most " + WireLimits.PAYLOAD_BYTES_MAX);
    }
    out.clear();
    out.skip(HEAD_BYTES);
    try {
      MessageCodec.write(message, out);
    } catch (FieldsTooLong e) {
      throw new MessageTooLong(message, e);
    }
    ByteBuffer frame = out.written();
    int bodyBytes = frame.remaining() - HEAD_BYTES;
    frame.putInt(MAGIC_OFFSET, MAGIC);
    frame.putInt(CODE_OFFSET, MessageTypes.code(message.getClass()));
    frame.putInt(BODY_BYTES_OFFSET, bodyBytes);
    frame.putLong(PAYLOAD_BYTES_OFFSET, payloadBytes);
    frame.putLong(REQUEST_OFFSET, request);
    frame.putInt(BODY_CRC_OFFSET, checksum(frame, HEAD_BYTES, bodyBytes));
    frame.putInt(HEAD_CRC_OFFSET, checksum(frame, MAGIC_OFFSET, HEAD_CRC_OFFSET));
    return frame;
  }

  /** Checks the first bytes of an incomplete head: foreign data may be short. */
  public void checkStart(ByteBuffer in) throws MalformedFrame {
    if (in.remaining() >= Integer.BYTES && in.getInt(in.position() + MAGIC_OFFSET) != MAGIC) {
      throw foreign(in);
    }
  }

  /**
   * Reads a head, of which {@link #HEAD_BYTES} remain, and moves behind it.
   *
   * @param bodyBytesMax the bound of bodies at this moment
   */
  public FrameHead head(ByteBuffer in, int bodyBytesMax) throws MalformedFrame {
    int at = in.position();
    if (in.getInt(at + MAGIC_OFFSET) != MAGIC) throw foreign(in);
    if (in.getInt(at + HEAD_CRC_OFFSET) != checksum(in, at + MAGIC_OFFSET, HEAD_CRC_OFFSET)) {
      throw new MalformedFrame(Kind.HEAD_CORRUPT, "the head of a frame that fails its checksum");
    }
    int code = in.getInt(at + CODE_OFFSET);
    int bodyBytes = in.getInt(at + BODY_BYTES_OFFSET);
    long payloadBytes = in.getLong(at + PAYLOAD_BYTES_OFFSET);
    if (MessageTypes.type(code) == null) {
      throw new MalformedFrame(Kind.UNKNOWN_MESSAGE, "a message of unknown number " + code);
    }
    if (bodyBytes < 0 || bodyBytes > bodyBytesMax) {
      throw new MalformedFrame(
          Kind.BODY_TOO_LONG, "a message of " + bodyBytes + " bytes; at most " + bodyBytesMax);
    }
    if (payloadBytes < NO_PAYLOAD || payloadBytes > WireLimits.PAYLOAD_BYTES_MAX) {
      throw new MalformedFrame(
          Kind.PAYLOAD_TOO_LONG,
          "a payload of " + payloadBytes + " bytes; at most " + WireLimits.PAYLOAD_BYTES_MAX);
    }
    FrameHead head =
        new FrameHead(
            code,
            bodyBytes,
            (int) payloadBytes,
            in.getLong(at + REQUEST_OFFSET),
            in.getInt(at + BODY_CRC_OFFSET));
    in.position(at + HEAD_BYTES);
    return head;
  }

  /** Reads the body of a head, of which all bytes remain, and moves behind it. */
  public Message body(FrameHead head, ByteBuffer in) throws MalformedFrame {
    int end = in.limit();
    int bodyEnd = in.position() + head.bodyBytes();
    if (checksum(in, in.position(), head.bodyBytes()) != head.bodyCrc()) {
      throw new MalformedFrame(Kind.BODY_CORRUPT, "a message that fails its checksum");
    }
    try {
      in.limit(bodyEnd);
      return MessageCodec.read(head.code(), in);
    } catch (MalformedFields e) {
      throw new MalformedFrame(
          Kind.BODY_MALFORMED, "a message that cannot be read: " + e.getMessage(), e);
    } finally {
      in.limit(end).position(bodyEnd);
    }
  }

  private int checksum(ByteBuffer bytes, int from, int length) {
    int position = bytes.position();
    int limit = bytes.limit();
    crc.reset();
    bytes.limit(from + length).position(from);
    crc.update(bytes);
    bytes.limit(limit).position(position);
    return (int) crc.getValue();
  }

  /** Names what people most often send to a port that is not meant for it. */
  private static MalformedFrame foreign(ByteBuffer in) {
    byte[] first = new byte[Integer.BYTES];
    in.get(in.position(), first);
    String text = new String(first, StandardCharsets.ISO_8859_1);
    String what = "bytes that are no Forebay frame";
    if (text.startsWith("GET ") || text.startsWith("POST") || text.startsWith("HEAD")) {
      what = "an HTTP request";
    } else if (text.equals("HTTP")) {
      what = "an HTTP response";
    } else if (first[0] == TLS_HANDSHAKE) {
      return new MalformedFrame(Kind.TLS, "a TLS handshake");
    }
    return new MalformedFrame(Kind.FOREIGN, what);
  }
}
