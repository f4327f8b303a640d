// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;

/** System calls with their result and errno, as a C program has them. One thread uses it. */
final class LinuxFiles implements AutoCloseable {
  static final int READ_ONLY = 0;
  static final int WRITE_ONLY = 1;
  static final int READ_WRITE = 2;
  static final int CREATE = 0100;
  static final int EXCLUSIVE = 0200;
  static final int TRUNCATE = 01000;
  static final int APPEND = 02000;
  static final int DIRECTORY = 0200000;
  static final int NO_FOLLOW = 0400000;

  static final int RENAME_NO_REPLACE = 1;
  static final int RENAME_EXCHANGE = 2;

  static final int ALLOCATE_KEEP_SIZE = 1;
  static final int ALLOCATE_PUNCH = 2;
  static final int ALLOCATE_ZERO = 16;

  static final int SEEK_SET = 0;
  static final int SEEK_DATA = 3;
  static final int SEEK_HOLE = 4;

  static final int NO_SUCH_ADDRESS = 6; // ENXIO
  static final int NOT_SUPPORTED = 95; // EOPNOTSUPP

  private static final int AT_CURRENT = -100;
  private static final int AT_NO_FOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC = 0x7ff;
  private static final int STATX_BYTES = 256;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PROTECTION_READ = 1;
  private static final int MAP_PROTECTION_WRITE = 2;
  private static final int SYNC_WAITING = 4;

  // Offsets in struct statx, which is the same on every architecture.
  private static final long LINKS_AT = 16;
  private static final long USER_AT = 20;
  private static final long GROUP_AT = 24;
  private static final long MODE_AT = 28;
  private static final long INODE_AT = 32;
  private static final long SIZE_AT = 40;
  private static final long BLOCKS_AT = 48;
  private static final long MODIFIED_AT = 112;
  private static final long MODIFIED_NANOS_AT = 120;

  /** What a call gave. The value is -1 if there is an errno. */
  record Outcome(long value, int errno) {
    boolean done() {
      return errno == 0;
    }

    @Override
    public String toString() {
      return done() ? Long.toString(value) : "errno " + errno;
    }
  }

  /** What the kernel knows of a node. */
  record Stat(
      int mode,
      int user,
      int group,
      int links,
      long inode,
      long sizeBytes,
      long blocks,
      long modifiedSeconds,
      int modifiedNanos) {
    private static final int KIND = 0170000;

    boolean isDirectory() {
      return (mode & KIND) == 040000;
    }

    boolean isFile() {
      return (mode & KIND) == 0100000;
    }

    boolean isSymlink() {
      return (mode & KIND) == 0120000;
    }
  }

  private final Linker linker = Linker.nativeLinker();
  private final StructLayout stateLayout = Linker.Option.captureStateLayout();
  private final VarHandle errno =
      stateLayout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment callState = arena.allocate(stateLayout);
  private final MemorySegment statBuffer = arena.allocate(STATX_BYTES, Long.BYTES);
  private final MemorySegment times = arena.allocate(4 * Long.BYTES, Long.BYTES);
  private final MemorySegment offsets = arena.allocate(2 * Long.BYTES, Long.BYTES);
  private final MemorySegment data;
  private final Map<String, MethodHandle> handles = new HashMap<>();

  /** For transfers of up to so many bytes. */
  LinuxFiles(int transferBytesMax) {
    data = arena.allocate(transferBytesMax);
  }

  Outcome open(String path, int flags, int mode) {
    return inArena(texts -> call("openat", 3, AT_CURRENT, texts.allocateFrom(path), flags, mode));
  }

  Outcome close(int file) {
    return call("close", 0, file);
  }

  /** Writes at a place, or at the file's position if that is negative. */
  Outcome write(int file, byte[] bytes, long position) {
    MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return position < 0
        ? longCall("write", file, data, (long) bytes.length)
        : longCall("pwrite", file, data, (long) bytes.length, position);
  }

  /** Reads at a place, or at the file's position if that is negative. */
  Outcome read(int file, int lengthBytes, long position) {
    return position < 0
        ? longCall("read", file, data, (long) lengthBytes)
        : longCall("pread", file, data, (long) lengthBytes, position);
  }

  /** What the last read gave. */
  byte[] bytes(long lengthBytes) {
    return data.asSlice(0, lengthBytes).toArray(ValueLayout.JAVA_BYTE);
  }

  Outcome seek(int file, long position, int whence) {
    return longCall("lseek", file, position, whence);
  }

  Outcome truncate(String path, long sizeBytes) {
    return inArena(texts -> call("truncate", 0, texts.allocateFrom(path), sizeBytes));
  }

  Outcome truncate(int file, long sizeBytes) {
    return call("ftruncate", 0, file, sizeBytes);
  }

  Outcome allocate(int file, int mode, long position, long lengthBytes) {
    return call("fallocate", 0, file, mode, position, lengthBytes);
  }

  Outcome copyRange(int from, long fromPosition, int to, long toPosition, long lengthBytes) {
    offsets.setAtIndex(ValueLayout.JAVA_LONG, 0, fromPosition);
    offsets.setAtIndex(ValueLayout.JAVA_LONG, 1, toPosition);
    return longCall(
        "copy_file_range", from, offsets, to, offsets.asSlice(Long.BYTES), lengthBytes, 0);
  }

  Outcome force(int file, boolean dataOnly) {
    return call(dataOnly ? "fdatasync" : "fsync", 0, file);
  }

  /** Maps a part of a file; the value is where it is in memory. */
  Outcome map(int file, long position, long lengthBytes, boolean writable) {
    int protection = MAP_PROTECTION_READ | (writable ? MAP_PROTECTION_WRITE : 0);
    return longCall(
        "mmap", MemorySegment.NULL, lengthBytes, protection, MAP_SHARED, file, position);
  }

  Outcome unmap(long address, long lengthBytes) {
    return call("munmap", 0, MemorySegment.ofAddress(address), lengthBytes);
  }

  Outcome syncMap(long address, long lengthBytes) {
    return call("msync", 0, MemorySegment.ofAddress(address), lengthBytes, SYNC_WAITING);
  }

  void poke(long address, byte[] bytes) {
    MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
    longCall("memcpy", MemorySegment.ofAddress(address), data, (long) bytes.length);
  }

  byte[] peek(long address, int lengthBytes) {
    longCall("memcpy", data, MemorySegment.ofAddress(address), (long) lengthBytes);
    return bytes(lengthBytes);
  }

  Outcome rename(String from, String to, int flags) {
    return inArena(
        texts ->
            call(
                "renameat2",
                0,
                AT_CURRENT,
                texts.allocateFrom(from),
                AT_CURRENT,
                texts.allocateFrom(to),
                flags));
  }

  Outcome link(String from, String to) {
    return inArena(texts -> call("link", 0, texts.allocateFrom(from), texts.allocateFrom(to)));
  }

  Outcome symlink(String target, String path) {
    return inArena(
        texts -> call("symlink", 0, texts.allocateFrom(target), texts.allocateFrom(path)));
  }

  Outcome readLink(String path, int lengthBytesMax) {
    return inArena(
        texts -> longCall("readlink", texts.allocateFrom(path), data, (long) lengthBytesMax));
  }

  Outcome unlink(String path) {
    return inArena(texts -> call("unlink", 0, texts.allocateFrom(path)));
  }

  Outcome makeDirectory(String path, int mode) {
    return inArena(texts -> call("mkdir", 0, texts.allocateFrom(path), mode));
  }

  /** Makes a node of the kind that the mode's upper bits name. */
  Outcome makeNode(String path, int mode, long device) {
    return inArena(texts -> call("mknod", 0, texts.allocateFrom(path), mode, device));
  }

  Outcome removeDirectory(String path) {
    return inArena(texts -> call("rmdir", 0, texts.allocateFrom(path)));
  }

  Outcome changeMode(String path, int mode) {
    return inArena(texts -> call("chmod", 0, texts.allocateFrom(path), mode));
  }

  Outcome changeMode(int file, int mode) {
    return call("fchmod", 0, file, mode);
  }

  Outcome changeOwner(String path, int user, int group) {
    return inArena(texts -> call("lchown", 0, texts.allocateFrom(path), user, group));
  }

  /** Sets the time of last access and of last change to the same. */
  Outcome changeTimes(String path, long seconds, int nanos) {
    for (int i = 0; i < 2; i++) {
      times.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, seconds);
      times.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, nanos);
    }
    return inArena(
        texts -> call("utimensat", 0, AT_CURRENT, texts.allocateFrom(path), times, AT_NO_FOLLOW));
  }

  Outcome access(String path, int rights) {
    return inArena(texts -> call("access", 0, texts.allocateFrom(path), rights));
  }

  Outcome setAttribute(String path, String name, byte[] value, int flags) {
    MemorySegment.copy(value, 0, data, ValueLayout.JAVA_BYTE, 0, value.length);
    return inArena(
        texts ->
            call(
                "setxattr",
                0,
                texts.allocateFrom(path),
                texts.allocateFrom(name),
                data,
                (long) value.length,
                flags));
  }

  Outcome getAttribute(String path, String name, int lengthBytesMax) {
    return inArena(
        texts ->
            longCall(
                "lgetxattr",
                texts.allocateFrom(path),
                texts.allocateFrom(name),
                data,
                (long) lengthBytesMax));
  }

  Outcome listAttributes(String path, int lengthBytesMax) {
    return inArena(
        texts -> longCall("llistxattr", texts.allocateFrom(path), data, (long) lengthBytesMax));
  }

  Outcome removeAttribute(String path, String name) {
    return inArena(
        texts -> call("removexattr", 0, texts.allocateFrom(path), texts.allocateFrom(name)));
  }

  Outcome stat(String path) {
    return inArena(
        texts ->
            call(
                "statx",
                0,
                AT_CURRENT,
                texts.allocateFrom(path),
                AT_NO_FOLLOW,
                STATX_BASIC,
                statBuffer));
  }

  Outcome stat(int file) {
    return inArena(
        texts ->
            call("statx", 0, file, texts.allocateFrom(""), AT_EMPTY_PATH, STATX_BASIC, statBuffer));
  }

  /** What the last {@code stat} found. */
  Stat found() {
    return new Stat(
        statBuffer.get(ValueLayout.JAVA_SHORT, MODE_AT) & 0xffff,
        statBuffer.get(ValueLayout.JAVA_INT, USER_AT),
        statBuffer.get(ValueLayout.JAVA_INT, GROUP_AT),
        statBuffer.get(ValueLayout.JAVA_INT, LINKS_AT),
        statBuffer.get(ValueLayout.JAVA_LONG, INODE_AT),
        statBuffer.get(ValueLayout.JAVA_LONG, SIZE_AT),
        statBuffer.get(ValueLayout.JAVA_LONG, BLOCKS_AT),
        statBuffer.get(ValueLayout.JAVA_LONG, MODIFIED_AT),
        statBuffer.get(ValueLayout.JAVA_INT, MODIFIED_NANOS_AT));
  }

  private interface Call {
    Outcome run(Arena texts);
  }

  private static Outcome inArena(Call call) {
    try (Arena texts = Arena.ofConfined()) {
      return call.run(texts);
    }
  }

  private Outcome longCall(String name, Object... arguments) {
    return outcome(invoke(name, ValueLayout.JAVA_LONG, 0, arguments));
  }

  /** Calls what returns an int; with as many fixed arguments, or 0 if all are. */
  private Outcome call(String name, int fixed, Object... arguments) {
    return outcome(invoke(name, ValueLayout.JAVA_INT, fixed, arguments));
  }

  private Outcome outcome(long value) {
    return value == -1 ? new Outcome(-1, (int) errno.get(callState, 0L)) : new Outcome(value, 0);
  }

  private long invoke(String name, ValueLayout result, int fixed, Object... arguments) {
    MethodHandle handle =
        handles.computeIfAbsent(name, absent -> bind(absent, result, fixed, arguments));
    Object[] all = new Object[arguments.length + 1];
    all[0] = callState;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return ((Number) handle.invokeWithArguments(all)).longValue();
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call " + name, e);
    }
  }

  @SuppressWarnings("restricted")
  private MethodHandle bind(String name, ValueLayout result, int fixed, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Integer number -> ValueLayout.JAVA_INT;
            case Long number -> ValueLayout.JAVA_LONG;
            default -> ValueLayout.ADDRESS;
          };
    }
    FunctionDescriptor descriptor = FunctionDescriptor.of(result, layouts);
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    Linker.Option capture = Linker.Option.captureCallState("errno");
    return fixed == 0
        ? linker.downcallHandle(symbol, descriptor, capture)
        : linker.downcallHandle(symbol, descriptor, capture, Linker.Option.firstVariadicArg(fixed));
  }

  @Override
  public void close() {
    arena.close();
  }
}
