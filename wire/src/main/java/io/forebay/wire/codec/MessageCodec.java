// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.codec;

import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;

/** Encodes and decodes messages; any thread. */
public final class MessageCodec {
  /** Records that may contain messages, for journals that keep them. */
  public static final RecordFields FIELDS = new RecordFields(MessageTypes.NUMBERS);

  private MessageCodec() {}

  /** Appends the fields of a message. Its number travels apart. */
  public static void write(Message message, FieldWriter out) {
    if (!HotMessages.write(message, out)) FIELDS.write((Record) message, out);
  }

  /** The length of a message's fields. */
  public static int lengthBytes(Message message) {
    FieldWriter out = new FieldWriter();
    write(message, out);
    return out.written().remaining();
  }

  /** Decodes a message from its number and its fields, which must use all bytes. */
  public static Message read(int code, ByteBuffer fields) throws MalformedFields {
    Class<? extends Message> type = MessageTypes.type(code);
    if (type == null) throw new MalformedFields("no message has number " + code);
    FieldReader in = new FieldReader(fields);
    Message message = HotMessages.read(code, in);
    if (message == null) message = FIELDS.read(type, in);
    if (in.remaining() > 0) {
      throw new MalformedFields(
          in.remaining() + " bytes too many in a message " + type.getSimpleName());
    }
    return message;
  }
}
