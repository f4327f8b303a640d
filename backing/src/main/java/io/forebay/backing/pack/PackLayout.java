// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.FileAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The bytes of a pack: a ZIP archive whose members are stored as they are, each behind a header of
 * its own, with the archive's directory at the end. All positions follow from the names and lengths
 * alone, so that they are known before the first byte arrives. An extra field holds what ZIP has no
 * fields for: exact time, mode, and owner.
 */
public final class PackLayout {
  static final int LOCAL_MAGIC = 0x04034b50;
  static final int CENTRAL_MAGIC = 0x02014b50;
  static final int END_MAGIC = 0x06054b50;

  // Each length is that of the fields that follow one another below.
  static final int LOCAL_BYTES = 30;
  static final int CENTRAL_BYTES = 46;
  static final int END_BYTES = 22;

  /** Forebay's own extra field: a version, then mode, user, group and time. */
  static final short EXTRA_ID = 0x4246;

  static final int EXTRA_HEADER_BYTES = 2 * Short.BYTES;
  static final byte EXTRA_VERSION = 1;
  static final int EXTRA_BODY_BYTES = 1 + 3 * Integer.BYTES + Long.BYTES;
  static final int EXTRA_BYTES = EXTRA_HEADER_BYTES + EXTRA_BODY_BYTES;

  /** ZIP counts its members with 16 bits. */
  public static final int MEMBERS_MAX = 0xffff;

  /** ZIP counts bytes with 32 bits; this is far less. */
  public static final long BYTES_MAX = 1L << 30;

  private static final short VERSION_MADE = (3 << 8) | 20;
  private static final short VERSION_NEEDED = 10;
  private static final short NAMES_ARE_UTF8 = 1 << 11;
  private static final short STORED = 0;
  private static final int REGULAR_FILE = 0100000;
  private static final int USUAL_MODE = 0644;

  private final List<PackMember> members;
  private final List<byte[]> names = new ArrayList<>();
  private final long[] offsets;
  private final long directoryOffset;
  private final long sizeBytes;

  /** Lays out the members in their order. */
  public PackLayout(List<PackMember> members) {
    if (members.isEmpty() || members.size() > MEMBERS_MAX) {
      throw new IllegalArgumentException(members.size() + " files in a pack");
    }
    this.members = List.copyOf(members);
    this.offsets = new long[members.size()];
    long at = 0;
    long directoryBytes = 0;
    for (int i = 0; i < offsets.length; i++) {
      byte[] name = members.get(i).path().getBytes(StandardCharsets.UTF_8);
      names.add(name);
      at += LOCAL_BYTES + name.length + EXTRA_BYTES;
      offsets[i] = at;
      at += members.get(i).sizeBytes();
      directoryBytes += CENTRAL_BYTES + name.length + EXTRA_BYTES;
    }
    this.directoryOffset = at;
    this.sizeBytes = at + directoryBytes + END_BYTES;
    if (sizeBytes > BYTES_MAX) throw new IllegalArgumentException(sizeBytes + " bytes in a pack");
  }

  /** The bytes of a member besides its content. */
  public static long overheadBytes(String path) {
    long name = path.getBytes(StandardCharsets.UTF_8).length;
    return LOCAL_BYTES + CENTRAL_BYTES + 2 * (name + EXTRA_BYTES);
  }

  /** The offset of a member's bytes. */
  public long offset(int member) {
    return offsets[member];
  }

  /** The length of the whole pack. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * The whole pack.
   *
   * @param data the bytes of the members, one behind the other, cut into buffers anywhere
   */
  public List<ByteBuffer> framed(List<ByteBuffer> data) {
    List<ByteBuffer> framed = new ArrayList<>();
    Cursor cursor = new Cursor(data);
    ByteBuffer directory = littleEndian((int) (sizeBytes - directoryOffset));
    for (int i = 0; i < offsets.length; i++) {
      List<ByteBuffer> bytes = cursor.take(members.get(i).sizeBytes());
      CRC32 crc = new CRC32();
      for (ByteBuffer part : bytes) crc.update(part.duplicate());
      framed.add(local(i, (int) crc.getValue()));
      framed.addAll(bytes);
      central(directory, i, (int) crc.getValue());
    }
    end(directory);
    framed.add(directory.flip());
    return framed;
  }

  private ByteBuffer local(int member, int crc) {
    byte[] name = names.get(member);
    ByteBuffer header = littleEndian(LOCAL_BYTES + name.length + EXTRA_BYTES);
    header.putInt(LOCAL_MAGIC).putShort(VERSION_NEEDED);
    common(header, member, crc);
    header.put(name);
    extra(header, members.get(member).attributes());
    return header.flip();
  }

  private void central(ByteBuffer out, int member, int crc) {
    byte[] name = names.get(member);
    out.putInt(CENTRAL_MAGIC).putShort(VERSION_MADE).putShort(VERSION_NEEDED);
    common(out, member, crc);
    short noComment = 0;
    short firstDisk = 0;
    short binary = 0;
    out.putShort(noComment).putShort(firstDisk).putShort(binary);
    int mode = members.get(member).attributes().mode();
    out.putInt((REGULAR_FILE | (mode < 0 ? USUAL_MODE : mode)) << 16);
    out.putInt((int) (offsets[member] - EXTRA_BYTES - name.length - LOCAL_BYTES));
    out.put(name);
    extra(out, members.get(member).attributes());
  }

  /** The common fields of both headers of a member. */
  private void common(ByteBuffer out, int member, int crc) {
    int size = (int) members.get(member).sizeBytes();
    out.putShort(NAMES_ARE_UTF8).putShort(STORED);
    out.putInt(dosTime(members.get(member).attributes().modifyNanos()));
    out.putInt(crc).putInt(size).putInt(size);
    out.putShort((short) names.get(member).length).putShort((short) EXTRA_BYTES);
  }

  private static void extra(ByteBuffer out, FileAttributes attributes) {
    out.putShort(EXTRA_ID).putShort((short) EXTRA_BODY_BYTES).put(EXTRA_VERSION);
    out.putInt(attributes.mode()).putInt(attributes.user()).putInt(attributes.group());
    out.putLong(attributes.modifyNanos());
  }

  private void end(ByteBuffer out) {
    int directoryBytes = out.position();
    short firstDisk = 0;
    short noComment = 0;
    out.putInt(END_MAGIC).putShort(firstDisk).putShort(firstDisk);
    out.putShort((short) offsets.length).putShort((short) offsets.length);
    out.putInt(directoryBytes).putInt((int) directoryOffset).putShort(noComment);
  }

  /** Years since 1980 and so on, in two-second steps, as ZIP has had it from the beginning. */
  private static int dosTime(long nanos) {
    LocalDateTime time =
        LocalDateTime.ofInstant(Instant.ofEpochSecond(0, Math.max(0, nanos)), ZoneOffset.UTC);
    int year = Math.clamp(time.getYear() - 1980, 0, 127);
    int date = (year << 9) | (time.getMonthValue() << 5) | time.getDayOfMonth();
    int clock = (time.getHour() << 11) | (time.getMinute() << 5) | (time.getSecond() / 2);
    return (date << 16) | clock;
  }

  static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Goes through buffers that lie one behind the other. */
  private static final class Cursor {
    private final List<ByteBuffer> buffers;
    private int buffer;
    private int at;

    Cursor(List<ByteBuffer> buffers) {
      this.buffers = buffers;
    }

    List<ByteBuffer> take(long bytes) {
      List<ByteBuffer> taken = new ArrayList<>();
      for (long left = bytes; left > 0; ) {
        if (buffer == buffers.size()) throw new IllegalArgumentException("the data is too short");
        ByteBuffer from = buffers.get(buffer);
        int some = (int) Math.min(left, from.remaining() - at);
        if (some > 0) taken.add(from.slice(from.position() + at, some));
        left -= some;
        at += some;
        if (at == from.remaining()) {
          buffer++;
          at = 0;
        }
      }
      return taken;
    }
  }
}
