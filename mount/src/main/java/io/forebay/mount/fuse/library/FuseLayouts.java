// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The structures of libfuse 3.10 to 3.16 and of the C library that the binding reads and writes, on
 * 64-bit x86 Linux. A test compares each with the installed headers as a C compiler sees them.
 */
public final class FuseLayouts {
  /** The machine these layouts hold for, as the JVM names it. */
  static final String ARCHITECTURE = "amd64";

  /** The functions of {@code fuse_lowlevel_ops}, in their order. */
  static final List<String> OPERATIONS =
      List.of(
          "init",
          "destroy",
          "lookup",
          "forget",
          "getattr",
          "setattr",
          "readlink",
          "mknod",
          "mkdir",
          "unlink",
          "rmdir",
          "symlink",
          "rename",
          "link",
          "open",
          "read",
          "write",
          "flush",
          "release",
          "fsync",
          "opendir",
          "readdir",
          "releasedir",
          "fsyncdir",
          "statfs",
          "setxattr",
          "getxattr",
          "listxattr",
          "removexattr",
          "access",
          "create",
          "getlk",
          "setlk",
          "bmap",
          "ioctl",
          "poll",
          "write_buf",
          "retrieve_reply",
          "forget_multi",
          "flock",
          "fallocate",
          "readdirplus",
          "copy_file_range",
          "lseek");

  public static final StructLayout LOWLEVEL_OPS = operations();

  public static final StructLayout STAT =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("st_dev"),
              JAVA_LONG.withName("st_ino"),
              JAVA_LONG.withName("st_nlink"),
              JAVA_INT.withName("st_mode"),
              JAVA_INT.withName("st_uid"),
              JAVA_INT.withName("st_gid"),
              MemoryLayout.paddingLayout(4),
              JAVA_LONG.withName("st_rdev"),
              JAVA_LONG.withName("st_size"),
              JAVA_LONG.withName("st_blksize"),
              JAVA_LONG.withName("st_blocks"),
              JAVA_LONG.withName("st_atim.tv_sec"),
              JAVA_LONG.withName("st_atim.tv_nsec"),
              JAVA_LONG.withName("st_mtim.tv_sec"),
              JAVA_LONG.withName("st_mtim.tv_nsec"),
              JAVA_LONG.withName("st_ctim.tv_sec"),
              JAVA_LONG.withName("st_ctim.tv_nsec"),
              MemoryLayout.paddingLayout(24))
          .withName("stat");

  public static final StructLayout STATVFS =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("f_bsize"),
              JAVA_LONG.withName("f_frsize"),
              JAVA_LONG.withName("f_blocks"),
              JAVA_LONG.withName("f_bfree"),
              JAVA_LONG.withName("f_bavail"),
              JAVA_LONG.withName("f_files"),
              JAVA_LONG.withName("f_ffree"),
              JAVA_LONG.withName("f_favail"),
              JAVA_LONG.withName("f_fsid"),
              JAVA_LONG.withName("f_flag"),
              JAVA_LONG.withName("f_namemax"),
              MemoryLayout.paddingLayout(24))
          .withName("statvfs");

  public static final StructLayout ENTRY_PARAM =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("ino"),
              JAVA_LONG.withName("generation"),
              STAT.withName("attr"),
              JAVA_DOUBLE.withName("attr_timeout"),
              JAVA_DOUBLE.withName("entry_timeout"))
          .withName("fuse_entry_param");

  /** The bit fields behind {@code flags} are one word here; see the masks below. */
  public static final StructLayout FILE_INFO =
      MemoryLayout.structLayout(
              JAVA_INT.withName("flags"),
              MemoryLayout.paddingLayout(12),
              JAVA_LONG.withName("fh"),
              JAVA_LONG.withName("lock_owner"),
              JAVA_INT.withName("poll_events"),
              MemoryLayout.paddingLayout(4))
          .withName("fuse_file_info");

  public static final StructLayout CONN_INFO =
      MemoryLayout.structLayout(
              JAVA_INT.withName("proto_major"),
              JAVA_INT.withName("proto_minor"),
              JAVA_INT.withName("max_write"),
              JAVA_INT.withName("max_read"),
              JAVA_INT.withName("max_readahead"),
              JAVA_INT.withName("capable"),
              JAVA_INT.withName("want"),
              JAVA_INT.withName("max_background"),
              JAVA_INT.withName("congestion_threshold"),
              JAVA_INT.withName("time_gran"),
              MemoryLayout.paddingLayout(22 * 4))
          .withName("fuse_conn_info");

  public static final StructLayout CTX =
      MemoryLayout.structLayout(
              JAVA_INT.withName("uid"),
              JAVA_INT.withName("gid"),
              JAVA_INT.withName("pid"),
              JAVA_INT.withName("umask"))
          .withName("fuse_ctx");

  public static final StructLayout ARGS =
      MemoryLayout.structLayout(
              JAVA_INT.withName("argc"),
              MemoryLayout.paddingLayout(4),
              ADDRESS.withName("argv"),
              JAVA_INT.withName("allocated"),
              MemoryLayout.paddingLayout(4))
          .withName("fuse_args");

  public static final StructLayout BUF =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("size"),
              JAVA_INT.withName("flags"),
              MemoryLayout.paddingLayout(4),
              ADDRESS.withName("mem"),
              JAVA_INT.withName("fd"),
              MemoryLayout.paddingLayout(4),
              JAVA_LONG.withName("pos"))
          .withName("fuse_buf");

  public static final StructLayout FORGET_DATA =
      MemoryLayout.structLayout(JAVA_LONG.withName("ino"), JAVA_LONG.withName("nlookup"))
          .withName("fuse_forget_data");

  public static final StructLayout FLOCK =
      MemoryLayout.structLayout(
              JAVA_SHORT.withName("l_type"),
              JAVA_SHORT.withName("l_whence"),
              MemoryLayout.paddingLayout(4),
              JAVA_LONG.withName("l_start"),
              JAVA_LONG.withName("l_len"),
              JAVA_INT.withName("l_pid"),
              MemoryLayout.paddingLayout(4))
          .withName("flock");

  /** All of them, for the test. */
  static final List<StructLayout> ALL =
      List.of(
          LOWLEVEL_OPS,
          STAT,
          STATVFS,
          ENTRY_PARAM,
          FILE_INFO,
          CONN_INFO,
          CTX,
          ARGS,
          BUF,
          FORGET_DATA,
          FLOCK);

  // The bits after flags in fuse_file_info, as the compiler lays them out: the first is lowest.
  public static final long FILE_INFO_BITS = at(FILE_INFO, "flags") + Integer.BYTES;
  public static final int DIRECT_IO = 1 << 1;
  public static final int KEEP_CACHE = 1 << 2;
  public static final int FLOCK_RELEASE = 1 << 5;

  // Capabilities that the kernel offers and we want, in fuse_conn_info.
  public static final int CAP_ASYNC_READ = 1;
  public static final int CAP_POSIX_LOCKS = 1 << 1;
  public static final int CAP_ATOMIC_O_TRUNC = 1 << 3;
  public static final int CAP_FLOCK_LOCKS = 1 << 10;
  public static final int CAP_AUTO_INVAL_DATA = 1 << 12;
  public static final int CAP_READDIRPLUS = 1 << 13;
  public static final int CAP_READDIRPLUS_AUTO = 1 << 14;
  public static final int CAP_ASYNC_DIO = 1 << 15;
  public static final int CAP_WRITEBACK_CACHE = 1 << 16;
  public static final int CAP_PARALLEL_DIROPS = 1 << 18;
  static final int CAP_HANDLE_KILLPRIV = 1 << 20;

  // Which members of a stat are to be set.
  public static final int SET_MODE = 1;
  public static final int SET_UID = 1 << 1;
  public static final int SET_GID = 1 << 2;
  public static final int SET_SIZE = 1 << 3;
  public static final int SET_ATIME = 1 << 4;
  public static final int SET_MTIME = 1 << 5;
  public static final int SET_ATIME_NOW = 1 << 7;
  public static final int SET_MTIME_NOW = 1 << 8;

  private FuseLayouts() {}

  private static StructLayout operations() {
    List<MemoryLayout> pointers = new ArrayList<>();
    for (String name : OPERATIONS) pointers.add(ADDRESS.withName(name));
    return MemoryLayout.structLayout(pointers.toArray(MemoryLayout[]::new))
        .withName("fuse_lowlevel_ops");
  }

  /** The offset of a member. */
  public static long at(StructLayout layout, String member) {
    return layout.byteOffset(PathElement.groupElement(member));
  }
}
