// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/**
 * The calls of Linux that change the user of one thread's accesses to files. The C library's {@code
 * setgroups} changes all threads of the process, so the system call is made without it; {@code
 * setfsuid} and {@code setfsgid} of the C library change one thread.
 */
final class FileUserCalls {
  private static final int FAILED = -1;

  /** The number of the system call setgroups, by the JDK's name of the machine. */
  private static final Map<String, Long> SET_GROUPS =
      Map.of(
          "amd64",
          116L,
          "aarch64",
          159L,
          "riscv64",
          159L,
          "loongarch64",
          159L,
          "ppc64le",
          81L,
          "s390x",
          206L);

  private static final MethodHandle USER = call("setfsuid", ofInt());
  private static final MethodHandle GROUP = call("setfsgid", ofInt());
  private static final MethodHandle GET_GROUPS =
      call(
          "getgroups",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  private static final MethodHandle SYSTEM_CALL =
      call(
          "syscall",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(1));

  private FileUserCalls() {}

  private static FunctionDescriptor ofInt() {
    return FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
  }

  @SuppressWarnings("restricted") // Processes are started with native access.
  private static MethodHandle call(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** Whether the number of the system call is known here. */
  static boolean isKnownMachine() {
    return SET_GROUPS.containsKey(System.getProperty("os.arch", ""));
  }

  /** Sets the user; returns the one before. The kernel changes nothing for -1. */
  static int user(int user) {
    try {
      return (int) USER.invokeExact(user);
    } catch (Throwable e) {
      throw broken("setfsuid", e);
    }
  }

  /** The same for the group. */
  static int group(int group) {
    try {
      return (int) GROUP.invokeExact(group);
    } catch (Throwable e) {
      throw broken("setfsgid", e);
    }
  }

  /** The groups of this thread beside the one above. */
  static int[] groups(int max) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate(ValueLayout.JAVA_INT, max);
      int count = (int) GET_GROUPS.invokeExact(max, list);
      if (count < 0) throw new IllegalStateException("the kernel does not tell the groups");
      return list.asSlice(0, (long) count * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
    } catch (Throwable e) {
      throw broken("getgroups", e);
    }
  }

  /** Sets these groups; false if the kernel refuses that. */
  static boolean setGroups(int[] groups) {
    Long number = SET_GROUPS.get(System.getProperty("os.arch", ""));
    if (number == null) return false;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocateFrom(ValueLayout.JAVA_INT, groups);
      return (long) SYSTEM_CALL.invokeExact((long) number, (long) groups.length, list) != FAILED;
    } catch (Throwable e) {
      throw broken("setgroups", e);
    }
  }

  private static RuntimeException broken(String call, Throwable e) {
    if (e instanceof RuntimeException same) return same;
    if (e instanceof Error same) throw same;
    return new IllegalStateException(call, e);
  }
}
