// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * System calls on one real directory, as a chosen user: what Linux itself says. The user is that of
 * the calling thread alone.
 */
final class LinuxCalls implements AutoCloseable {
  static final int FOLLOW = 0;
  static final int NO_FOLLOW = 0x100;
  private static final int EFFECTIVE_ACCESS = 0x200;
  static final int FIFO = 0010000;
  static final int SOCKET = 0140000;

  static final int READ_ONLY = 0;
  static final int WRITE_ONLY = 1;
  static final int READ_WRITE = 2;
  static final int CREATE = 0100;
  static final int EXCLUSIVE = 0200;
  static final int TRUNCATE = 01000;
  static final int DIRECTORY = 0200000;
  static final long TIME_NOW = (1L << 30) - 1;
  static final long TIME_OMIT = (1L << 30) - 2;

  private static final int REMOVE_DIRECTORY = 0x200;
  private static final int AT_CURRENT = -100;
  private static final int OWN_CURRENT_DIRECTORY = 0x200;
  private static final int STATX_BASIC = 0x7ff;
  private static final int STATX_BYTES = 256;
  private static final int PATH_BYTES = 8192;

  private static final Map<Integer, ErrorCode> CODES =
      Map.ofEntries(
          Map.entry(0, ErrorCode.NONE),
          Map.entry(1, ErrorCode.NOT_PERMITTED),
          Map.entry(2, ErrorCode.NOT_FOUND),
          Map.entry(13, ErrorCode.ACCESS_DENIED),
          // There is no code for EBUSY and EOPNOTSUPP: whoever gets one asks for what cannot be.
          Map.entry(16, ErrorCode.INVALID),
          Map.entry(17, ErrorCode.EXISTS),
          Map.entry(20, ErrorCode.NOT_A_DIRECTORY),
          Map.entry(21, ErrorCode.IS_A_DIRECTORY),
          Map.entry(22, ErrorCode.INVALID),
          Map.entry(36, ErrorCode.NAME_TOO_LONG),
          Map.entry(39, ErrorCode.NOT_EMPTY),
          Map.entry(40, ErrorCode.TOO_MANY_SYMLINKS),
          Map.entry(95, ErrorCode.INVALID));

  /** What the kernel knows of a node. */
  record Stat(int mode, int user, int group, int links, long inode, long sizeBytes) {}

  private final Linker linker = Linker.nativeLinker();
  private final StructLayout stateLayout = Linker.Option.captureStateLayout();
  private final VarHandle errno =
      stateLayout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment callState = arena.allocate(stateLayout);
  private final MemorySegment firstPath = arena.allocate(PATH_BYTES);
  private final MemorySegment secondPath = arena.allocate(PATH_BYTES);
  private final MemorySegment statBuffer = arena.allocate(STATX_BYTES);
  private final MemorySegment times = arena.allocate(4 * Long.BYTES, Long.BYTES);
  private final Map<String, MethodHandle> handles = new HashMap<>();
  private int descriptor;

  LinuxCalls(Path base) {
    descriptor = AT_CURRENT;
    descriptor =
        (int) call("openat", 3, descriptor, text(base.toString(), firstPath), DIRECTORY, 0);
    if (descriptor < 0) throw new IllegalStateException("cannot open " + base);
  }

  /** The calling thread, for good: gives up all other groups, and starts paths from the base. */
  boolean settle(int setGroupsNumber) {
    return call("syscall", 1, (long) setGroupsNumber, 0L, MemorySegment.NULL) == 0
        && call("unshare", -1, OWN_CURRENT_DIRECTORY) == 0
        && call("fchdir", -1, descriptor) == 0;
  }

  /** Files are used as this user from now on. */
  void become(Identity who) {
    call("setfsgid", -1, who.primaryGroup());
    call("setfsuid", -1, who.user());
  }

  ErrorCode makeDirectory(String path, int mode) {
    return code(call("mkdirat", -1, descriptor, text(path, firstPath), mode));
  }

  ErrorCode open(String path, int flags, int mode) {
    long opened = call("openat", 3, descriptor, text(path, firstPath), flags, mode);
    ErrorCode code = code(opened);
    if (opened >= 0) call("close", -1, (int) opened);
    return code;
  }

  ErrorCode symlink(String target, String path) {
    return code(call("symlinkat", -1, text(target, firstPath), descriptor, text(path, secondPath)));
  }

  ErrorCode makeNode(String path, int mode) {
    return code(call("mknodat", -1, descriptor, text(path, firstPath), mode, 0L));
  }

  ErrorCode link(String path, String newPath) {
    MemorySegment from = text(path, firstPath);
    MemorySegment to = text(newPath, secondPath);
    return code(call("linkat", -1, descriptor, from, descriptor, to, 0));
  }

  ErrorCode unlink(String path) {
    return code(call("unlinkat", -1, descriptor, text(path, firstPath), 0));
  }

  ErrorCode removeDirectory(String path) {
    return code(call("unlinkat", -1, descriptor, text(path, firstPath), REMOVE_DIRECTORY));
  }

  ErrorCode rename(String path, String newPath, int flags) {
    MemorySegment from = text(path, firstPath);
    MemorySegment to = text(newPath, secondPath);
    return code(call("renameat2", -1, descriptor, from, descriptor, to, flags));
  }

  ErrorCode changeMode(String path, int mode) {
    return code(call("fchmodat", -1, descriptor, text(path, firstPath), mode, 0));
  }

  ErrorCode changeOwner(String path, int user, int group, int flags) {
    return code(call("fchownat", -1, descriptor, text(path, firstPath), user, group, flags));
  }

  ErrorCode changeTimes(String path, long accessNanos, long modifyNanos, int flags) {
    times.setAtIndex(ValueLayout.JAVA_LONG, 0, 1);
    times.setAtIndex(ValueLayout.JAVA_LONG, 1, accessNanos);
    times.setAtIndex(ValueLayout.JAVA_LONG, 2, 1);
    times.setAtIndex(ValueLayout.JAVA_LONG, 3, modifyNanos);
    return code(call("utimensat", -1, descriptor, text(path, firstPath), times, flags));
  }

  ErrorCode truncate(String path, long sizeBytes) {
    return code(call("truncate", -1, text(path, firstPath), sizeBytes));
  }

  ErrorCode readLink(String path) {
    return code(
        call("readlinkat", -1, descriptor, text(path, firstPath), statBuffer, (long) STATX_BYTES));
  }

  /** As the user that files are used as, not as whoever started this. */
  ErrorCode access(String path, int mask) {
    return code(call("faccessat", -1, descriptor, text(path, firstPath), mask, EFFECTIVE_ACCESS));
  }

  ErrorCode look(String path, int flags) {
    MemorySegment name = text(path, firstPath);
    return code(call("statx", -1, descriptor, name, flags, STATX_BASIC, statBuffer));
  }

  Stat stat(String path) {
    ErrorCode code = look(path, NO_FOLLOW);
    if (code != ErrorCode.NONE) throw new IllegalStateException(path + ": " + code);
    return new Stat(
        Short.toUnsignedInt(statBuffer.get(ValueLayout.JAVA_SHORT, 28)),
        statBuffer.get(ValueLayout.JAVA_INT, 20),
        statBuffer.get(ValueLayout.JAVA_INT, 24),
        statBuffer.get(ValueLayout.JAVA_INT, 16),
        statBuffer.get(ValueLayout.JAVA_LONG, 32),
        statBuffer.get(ValueLayout.JAVA_LONG, 40));
  }

  @Override
  public void close() {
    call("close", -1, descriptor);
    arena.close();
  }

  private static MemorySegment text(String text, MemorySegment into) {
    into.setString(0, text, StandardCharsets.UTF_8);
    return into;
  }

  private ErrorCode code(long result) {
    int number = result >= 0 ? 0 : (int) errno.get(callState, 0L);
    ErrorCode code = CODES.get(number);
    if (code == null) throw new IllegalStateException("errno " + number);
    return code;
  }

  /** Calls a function of the C library; arguments are ints, longs and pointers. */
  private long call(String function, int firstVariadic, Object... arguments) {
    MethodHandle handle =
        handles.computeIfAbsent(function, name -> handle(name, firstVariadic, arguments));
    Object[] all = new Object[arguments.length + 1];
    all[0] = callState;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return (int) handle.invokeWithArguments(List.of(all));
    } catch (Throwable e) {
      throw new IllegalStateException(function, e);
    }
  }

  // The native calls are what this class is for.
  @SuppressWarnings("restricted")
  private MethodHandle handle(String function, int firstVariadic, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Integer number -> ValueLayout.JAVA_INT;
            case Long number -> ValueLayout.JAVA_LONG;
            default -> ValueLayout.ADDRESS;
          };
    }
    FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
    Linker.Option capture = Linker.Option.captureCallState("errno");
    Linker.Option[] options =
        firstVariadic < 0
            ? new Linker.Option[] {capture}
            : new Linker.Option[] {capture, Linker.Option.firstVariadicArg(firstVariadic)};
    return linker.downcallHandle(
        linker.defaultLookup().find(function).orElseThrow(), descriptor, options);
  }
}
