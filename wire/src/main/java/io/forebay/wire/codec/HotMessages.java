// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.codec;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The messages that come with every record, encoded and decoded by hand: with small records the
 * generic codec dominates a loop's profile. The bytes are the same; a test checks that.
 */
final class HotMessages {
  private static final int PUT = MessageTypes.code(Data.Put.class);
  private static final int PUT_DONE = MessageTypes.code(Data.PutDone.class);
  private static final int REPLICATE = MessageTypes.code(Data.Replicate.class);
  private static final int CONFIRM = MessageTypes.code(Data.Confirm.class);
  private static final int GET = MessageTypes.code(Data.Get.class);
  private static final int GOT = MessageTypes.code(Data.Got.class);
  private static final ErrorCode[] ERROR_CODES = ErrorCode.values();

  private HotMessages() {}

  /** Writes a message if it is one of these. */
  static boolean write(Message message, FieldWriter out) {
    if (message instanceof Data.PutDone done) {
      write(done.record(), out);
    } else if (message instanceof Data.Put put) {
      write(put, out);
    } else if (message instanceof Data.Replicate copy) {
      write(copy, out);
    } else if (message instanceof Data.Confirm confirm) {
      write(confirm, out);
    } else if (message instanceof Data.Get get) {
      write(get, out);
    } else if (message instanceof Data.Got got) {
      out.putChecksums(got.checksums());
    } else {
      return false;
    }
    return true;
  }

  /** Reads the message of that number if it is one of these, else nothing. */
  static @Nullable Message read(int code, FieldReader in) throws MalformedFields {
    if (code == PUT_DONE) return new Data.PutDone(readRecord(in));
    if (code == PUT) return readPut(in);
    if (code == REPLICATE) return readReplicate(in);
    if (code == CONFIRM) return readConfirm(in);
    if (code == GET) return readGet(in);
    if (code == GOT) return new Data.Got(in.getChecksums());
    return null;
  }

  private static void write(Data.Put put, FieldWriter out) {
    out.putInt(put.group().number());
    out.putLong(put.epoch());
    write(put.record(), out);
    write(put.file(), out);
    out.putLong(put.offset());
    out.putBoolean(put.forced());
    out.putLong(put.secret());
    out.putChecksums(put.checksums());
  }

  private static Data.Put readPut(FieldReader in) throws MalformedFields {
    return new Data.Put(
        readGroup(in),
        in.getLong(),
        readRecord(in),
        readFile(in),
        in.getLong(),
        in.getBoolean(),
        in.getLong(),
        in.getChecksums());
  }

  private static void write(Data.Replicate copy, FieldWriter out) {
    out.putInt(copy.group().number());
    out.putLong(copy.epoch());
    write(copy.record(), out);
    write(copy.file(), out);
    out.putLong(copy.offset());
    out.putBoolean(copy.forced());
    out.putChecksums(copy.checksums());
  }

  private static Data.Replicate readReplicate(FieldReader in) throws MalformedFields {
    return new Data.Replicate(
        readGroup(in),
        in.getLong(),
        readRecord(in),
        readFile(in),
        in.getLong(),
        in.getBoolean(),
        in.getChecksums());
  }

  private static void write(Data.Confirm confirm, FieldWriter out) {
    out.putInt(confirm.group().number());
    out.putLong(confirm.epoch());
    write(confirm.record(), out);
    out.putInt(confirm.member().number());
    int index = 0;
    while (ERROR_CODES[index] != confirm.code()) index++;
    out.putByte(index);
  }

  private static Data.Confirm readConfirm(FieldReader in) throws MalformedFields {
    return new Data.Confirm(
        readGroup(in), in.getLong(), readRecord(in), new SeatId(in.getInt()), readCode(in));
  }

  private static ErrorCode readCode(FieldReader in) throws MalformedFields {
    int index = Byte.toUnsignedInt(in.getByte());
    if (index >= ERROR_CODES.length) throw new MalformedFields("no ErrorCode has number " + index);
    return ERROR_CODES[index];
  }

  private static void write(Data.Get get, FieldWriter out) {
    out.putInt(get.group().number());
    write(get.record(), out);
    out.putInt(get.instance());
    out.putInt(get.recordOffset());
    out.putInt(get.lengthBytes());
    out.putLong(get.proof());
  }

  private static Data.Get readGet(FieldReader in) throws MalformedFields {
    return new Data.Get(
        readGroup(in), readRecord(in), in.getInt(), in.getInt(), in.getInt(), in.getLong());
  }

  private static void write(RecordId record, FieldWriter out) {
    out.putLong(record.session());
    out.putLong(record.sequence());
  }

  private static RecordId readRecord(FieldReader in) throws MalformedFields {
    return new RecordId(in.getLong(), in.getLong());
  }

  private static void write(FileId file, FieldWriter out) {
    out.putInt(file.instance());
    out.putLong(file.number());
  }

  private static FileId readFile(FieldReader in) throws MalformedFields {
    return new FileId(in.getInt(), in.getLong());
  }

  private static GroupId readGroup(FieldReader in) throws MalformedFields {
    return new GroupId(in.getInt());
  }
}
