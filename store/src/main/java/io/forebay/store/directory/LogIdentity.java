// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a log and the place of its memory: the content of {@link IdentityFile}, one
 * block, big-endian.
 *
 * <pre>
 *   magic           u64
 *   version         u32
 *   crc             u32        CRC32C of everything below, to the block's end
 *   logHigh,Low     u64        the log's id
 *   mode            u32        1 memory, 2 SSD, 3 hybrid
 *   segmentBytes    u32
 *   flags           u32        1 anonymous, 2 lost
 *   bootId          u32 + 64   length in bytes and UTF-8, padded with zeros
 *   memory          u32 + 1024 likewise
 *   memoryFallback  u32 + 1024 likewise
 *   reserved        zeros
 * </pre>
 *
 * @param bootId the kernel's boot id when the log was last opened, empty where there is none
 * @param memory the directory of the memory segments, empty where there is none
 * @param memoryFallback the directory of segments that did not fit into {@code memory}, or empty
 * @param anonymous whether records may be in anonymous memory since the last opening
 * @param lost whether memory was lost and its owner has not acknowledged it yet
 */
public record LogIdentity(
    LogId log,
    Mode mode,
    int segmentBytes,
    String bootId,
    String memory,
    String memoryFallback,
    boolean anonymous,
    boolean lost) {
  /** The possible states of the block. */
  sealed interface Parsed {
    record Valid(LogIdentity identity) implements Parsed {}

    /** Written by a later version of this program. */
    record Newer(int version) implements Parsed {}

    record Broken(String detail) implements Parsed {}
  }

  static final int VERSION = 1;
  static final int BYTES = 4096;
  static final int PATH_BYTES_MAX = 1024;
  static final int BOOT_ID_BYTES_MAX = 64;

  private static final long MAGIC = 0x464f52454241594cL; // "FOREBAYL"

  private static final int MAGIC_OFFSET = 0;
  private static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
  private static final int CRC_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int LOG_HIGH_OFFSET = CRC_OFFSET + Integer.BYTES;
  private static final int LOG_LOW_OFFSET = LOG_HIGH_OFFSET + Long.BYTES;
  private static final int MODE_OFFSET = LOG_LOW_OFFSET + Long.BYTES;
  private static final int SEGMENT_BYTES_OFFSET = MODE_OFFSET + Integer.BYTES;
  private static final int FLAGS_OFFSET = SEGMENT_BYTES_OFFSET + Integer.BYTES;
  private static final int BOOT_ID_OFFSET = FLAGS_OFFSET + Integer.BYTES;
  private static final int MEMORY_OFFSET = BOOT_ID_OFFSET + Integer.BYTES + BOOT_ID_BYTES_MAX;
  private static final int FALLBACK_OFFSET = MEMORY_OFFSET + Integer.BYTES + PATH_BYTES_MAX;

  private static final int ANONYMOUS_FLAG = 1;
  private static final int LOST_FLAG = 2;

  LogIdentity withAnonymous(boolean used) {
    return new LogIdentity(log, mode, segmentBytes, bootId, memory, memoryFallback, used, lost);
  }

  LogIdentity withoutLoss() {
    return new LogIdentity(
        log, mode, segmentBytes, bootId, memory, memoryFallback, anonymous, false);
  }

  /**
   * The block, ready to be written.
   *
   * @throws IllegalArgumentException for a path that is too long
   */
  ByteBuffer toBlock() {
    ByteBuffer block = ByteBuffer.allocate(BYTES);
    block.putLong(MAGIC_OFFSET, MAGIC);
    block.putInt(VERSION_OFFSET, VERSION);
    block.putLong(LOG_HIGH_OFFSET, log.high());
    block.putLong(LOG_LOW_OFFSET, log.low());
    block.putInt(MODE_OFFSET, code(mode));
    block.putInt(SEGMENT_BYTES_OFFSET, segmentBytes);
    block.putInt(FLAGS_OFFSET, (anonymous ? ANONYMOUS_FLAG : 0) | (lost ? LOST_FLAG : 0));
    putText(block, BOOT_ID_OFFSET, bootId, BOOT_ID_BYTES_MAX);
    putText(block, MEMORY_OFFSET, memory, PATH_BYTES_MAX);
    putText(block, FALLBACK_OFFSET, memoryFallback, PATH_BYTES_MAX);
    block.putInt(CRC_OFFSET, crc(block));
    return block;
  }

  static Parsed parse(ByteBuffer block) {
    if (block.limit() != BYTES) {
      return new Parsed.Broken("it has %d bytes instead of %d".formatted(block.limit(), BYTES));
    }
    if (block.getLong(MAGIC_OFFSET) != MAGIC) return new Parsed.Broken("it does not begin as one");
    int version = block.getInt(VERSION_OFFSET);
    // Before the checksum: a later version may change its place and extent.
    if (Integer.compareUnsigned(version, VERSION) > 0) return new Parsed.Newer(version);
    if (version != VERSION || block.getInt(CRC_OFFSET) != crc(block)) {
      return new Parsed.Broken("its checksum does not match");
    }
    Mode mode = mode(block.getInt(MODE_OFFSET));
    int segmentBytes = block.getInt(SEGMENT_BYTES_OFFSET);
    String bootId = text(block, BOOT_ID_OFFSET, BOOT_ID_BYTES_MAX);
    String memory = text(block, MEMORY_OFFSET, PATH_BYTES_MAX);
    String fallback = text(block, FALLBACK_OFFSET, PATH_BYTES_MAX);
    boolean sensible =
        segmentBytes >= StoreConfig.SEGMENT_BYTES_MIN
            && segmentBytes <= StoreConfig.SEGMENT_BYTES_MAX;
    if (mode == null || !sensible || bootId == null || memory == null || fallback == null) {
      return new Parsed.Broken("its fields make no sense");
    }
    int flags = block.getInt(FLAGS_OFFSET);
    LogId log = new LogId(block.getLong(LOG_HIGH_OFFSET), block.getLong(LOG_LOW_OFFSET));
    return new Parsed.Valid(
        new LogIdentity(
            log,
            mode,
            segmentBytes,
            bootId,
            memory,
            fallback,
            (flags & ANONYMOUS_FLAG) != 0,
            (flags & LOST_FLAG) != 0));
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(LOG_HIGH_OFFSET, BYTES - LOG_HIGH_OFFSET));
    return (int) crc.getValue();
  }

  private static void putText(ByteBuffer block, int offset, String text, int bytesMax) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > bytesMax) {
      throw new IllegalArgumentException(
          "'%s' is longer than %d bytes; choose a shorter path".formatted(text, bytesMax));
    }
    block.putInt(offset, bytes.length);
    block.put(offset + Integer.BYTES, bytes);
  }

  private static @Nullable String text(ByteBuffer block, int offset, int bytesMax) {
    int bytes = block.getInt(offset);
    if (bytes < 0 || bytes > bytesMax) return null;
    try {
      CharBuffer text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(block.slice(offset + Integer.BYTES, bytes));
      return text.chars().anyMatch(c -> c == 0) ? null : text.toString();
    } catch (CharacterCodingException noText) {
      return null;
    }
  }

  private static int code(Mode mode) {
    return switch (mode) {
      case MEMORY -> 1;
      case SSD -> 2;
      case HYBRID -> 3;
    };
  }

  private static @Nullable Mode mode(int code) {
    for (Mode mode : Mode.values()) {
      if (code(mode) == code) return mode;
    }
    return null;
  }
}
