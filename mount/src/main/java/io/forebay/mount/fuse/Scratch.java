// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.NodeEntry;
import io.forebay.mount.fuse.operation.OpenReply;
import io.forebay.mount.fuse.operation.Space;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thread's memory for its answers. Its owner only. */
final class Scratch {
  private static final int BLOCK_BYTES = 512;
  private static final int PREFERRED_BYTES = 1024 * 1024;

  /** A path and its final zero. */
  private static final int TEXT_BYTES = 4097;

  private static final long ENTRY_INO = FuseLayouts.at(FuseLayouts.ENTRY_PARAM, "ino");
  private static final long ENTRY_GENERATION =
      FuseLayouts.at(FuseLayouts.ENTRY_PARAM, "generation");
  private static final long ENTRY_ATTR = FuseLayouts.at(FuseLayouts.ENTRY_PARAM, "attr");
  private static final long ENTRY_ATTR_TIMEOUT =
      FuseLayouts.at(FuseLayouts.ENTRY_PARAM, "attr_timeout");
  private static final long ENTRY_TIMEOUT =
      FuseLayouts.at(FuseLayouts.ENTRY_PARAM, "entry_timeout");
  private static final long FH = FuseLayouts.at(FuseLayouts.FILE_INFO, "fh");

  private static final long ST_INO = stat("st_ino");
  private static final long ST_NLINK = stat("st_nlink");
  private static final long ST_MODE = stat("st_mode");
  private static final long ST_UID = stat("st_uid");
  private static final long ST_GID = stat("st_gid");
  private static final long ST_SIZE = stat("st_size");
  private static final long ST_BLKSIZE = stat("st_blksize");
  private static final long ST_RDEV = stat("st_rdev");
  private static final long ST_BLOCKS = stat("st_blocks");
  private static final long ST_ATIME = stat("st_atim.tv_sec");
  private static final long ST_MTIME = stat("st_mtim.tv_sec");
  private static final long ST_CTIME = stat("st_ctim.tv_sec");

  // Freed when the thread is gone: what libfuse got of it, it got for one call only.
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment entry = arena.allocate(FuseLayouts.ENTRY_PARAM);
  private final MemorySegment stat = arena.allocate(FuseLayouts.STAT);
  private final MemorySegment fileInfo = arena.allocate(FuseLayouts.FILE_INFO);
  private final MemorySegment statvfs = arena.allocate(FuseLayouts.STATVFS);
  private final MemorySegment text = arena.allocate(TEXT_BYTES);
  private @Nullable MemorySegment data;

  private static long stat(String member) {
    return FuseLayouts.at(FuseLayouts.STAT, member);
  }

  /** Memory for an answer of this size. */
  MemorySegment data(long bytes) {
    MemorySegment present = data;
    if (present == null || present.byteSize() < bytes) {
      present = arena.allocate(Math.max(bytes, PREFERRED_BYTES), 4096);
      data = present;
    }
    return present.asSlice(0, bytes);
  }

  /** A string as C has it. */
  MemorySegment text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    MemorySegment target = bytes.length < TEXT_BYTES ? text : arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, target, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
    target.set(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    return target;
  }

  MemorySegment entry(NodeEntry of) {
    entry.set(JAVA_LONG, ENTRY_INO, of.attributes().node());
    entry.set(JAVA_LONG, ENTRY_GENERATION, 0);
    entry.set(JAVA_DOUBLE, ENTRY_ATTR_TIMEOUT, of.attributeSeconds());
    entry.set(JAVA_DOUBLE, ENTRY_TIMEOUT, of.nameSeconds());
    fill(entry.asSlice(ENTRY_ATTR, FuseLayouts.STAT), of.attributes());
    return entry;
  }

  /** An entry with a name and its kind only; the kernel asks for the rest. */
  MemorySegment bareEntry(long node, int mode) {
    entry.fill((byte) 0);
    entry.set(JAVA_LONG, ENTRY_ATTR + ST_INO, node);
    entry.set(JAVA_INT, ENTRY_ATTR + ST_MODE, mode);
    return entry;
  }

  MemorySegment bareStat(long node, int mode) {
    stat.fill((byte) 0);
    stat.set(JAVA_LONG, ST_INO, node);
    stat.set(JAVA_INT, ST_MODE, mode);
    return stat;
  }

  MemorySegment stat(NodeAttributes of) {
    fill(stat, of);
    return stat;
  }

  private static void fill(MemorySegment target, NodeAttributes of) {
    target.fill((byte) 0);
    target.set(JAVA_LONG, ST_INO, of.node());
    target.set(JAVA_LONG, ST_NLINK, of.links());
    target.set(JAVA_INT, ST_MODE, of.mode());
    target.set(JAVA_INT, ST_UID, of.user());
    target.set(JAVA_INT, ST_GID, of.group());
    target.set(JAVA_LONG, ST_RDEV, of.device());
    target.set(JAVA_LONG, ST_SIZE, of.sizeBytes());
    target.set(JAVA_LONG, ST_BLKSIZE, PREFERRED_BYTES);
    target.set(JAVA_LONG, ST_BLOCKS, (of.allocatedBytes() + BLOCK_BYTES - 1) / BLOCK_BYTES);
    time(target, ST_ATIME, of.accessTime());
    time(target, ST_MTIME, of.modifyTime());
    time(target, ST_CTIME, of.changeTime());
  }

  private static void time(MemorySegment target, long at, Instant time) {
    target.set(JAVA_LONG, at, time.getEpochSecond());
    target.set(JAVA_LONG, at + Long.BYTES, time.getNano());
  }

  /** The change that setattr requests, from the kernel's stat. */
  static AttributeSetting setting(MemorySegment stat, int which) {
    return new AttributeSetting(
        (which & FuseLayouts.SET_MODE) != 0 ? stat.get(JAVA_INT, ST_MODE) : null,
        (which & FuseLayouts.SET_UID) != 0 ? stat.get(JAVA_INT, ST_UID) : null,
        (which & FuseLayouts.SET_GID) != 0 ? stat.get(JAVA_INT, ST_GID) : null,
        (which & FuseLayouts.SET_SIZE) != 0 ? stat.get(JAVA_LONG, ST_SIZE) : null,
        time(stat, ST_ATIME, which, FuseLayouts.SET_ATIME, FuseLayouts.SET_ATIME_NOW),
        time(stat, ST_MTIME, which, FuseLayouts.SET_MTIME, FuseLayouts.SET_MTIME_NOW));
  }

  private static AttributeSetting.@Nullable Time time(
      MemorySegment stat, long at, int which, int given, int now) {
    if ((which & now) != 0) return AttributeSetting.Time.NOW;
    if ((which & given) == 0) return null;
    long seconds = stat.get(JAVA_LONG, at);
    return new AttributeSetting.Time(
        Instant.ofEpochSecond(seconds, stat.get(JAVA_LONG, at + Long.BYTES)));
  }

  MemorySegment fileInfo(OpenReply of) {
    fileInfo.fill((byte) 0);
    int bits =
        (of.direct() ? FuseLayouts.DIRECT_IO : 0) | (of.keepCache() ? FuseLayouts.KEEP_CACHE : 0);
    fileInfo.set(JAVA_INT, FuseLayouts.FILE_INFO_BITS, bits);
    fileInfo.set(JAVA_LONG, FH, of.handle());
    return fileInfo;
  }

  MemorySegment statvfs(Space of) {
    statvfs.fill((byte) 0);
    set("f_bsize", of.blockBytes());
    set("f_frsize", of.blockBytes());
    set("f_blocks", of.blocks());
    set("f_bfree", of.freeBlocks());
    set("f_bavail", of.freeBlocks());
    set("f_files", of.nodes());
    set("f_ffree", of.freeNodes());
    set("f_favail", of.freeNodes());
    set("f_namemax", of.nameBytesMax());
    return statvfs;
  }

  private void set(String member, long value) {
    statvfs.set(JAVA_LONG, FuseLayouts.at(FuseLayouts.STATVFS, member), value);
  }
}
