// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of the C library that know users. Linux with 64 bits. */
final class UserCalls {
  /** {@code struct passwd} of Linux. */
  private static final StructLayout ENTRY =
      MemoryLayout.structLayout(
          NativeText.ADDRESS.withName("name"),
          ValueLayout.ADDRESS.withName("password"),
          ValueLayout.JAVA_INT.withName("user"),
          ValueLayout.JAVA_INT.withName("group"),
          ValueLayout.ADDRESS.withName("comment"),
          ValueLayout.ADDRESS.withName("home"),
          ValueLayout.ADDRESS.withName("shell"));

  private static final long NAME = offset("name");
  private static final long GROUP = offset("group");
  private static final long TEXTS_BYTES = 64 * 1024;

  private static final MethodHandle FIND =
      call(
          "getpwuid_r",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS));
  private static final MethodHandle GROUPS =
      call(
          "getgrouplist",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS));

  private UserCalls() {}

  private static long offset(String field) {
    return ENTRY.byteOffset(MemoryLayout.PathElement.groupElement(field));
  }

  @SuppressWarnings("restricted") // Processes are started with native access.
  private static MethodHandle call(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  static SystemUsers.@Nullable User find(int user, int groupsMax) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(ENTRY);
      MemorySegment texts = arena.allocate(TEXTS_BYTES);
      MemorySegment found = arena.allocate(ValueLayout.ADDRESS);
      int error = lookUp(user, entry, texts, found);
      boolean none = found.get(ValueLayout.ADDRESS, 0).equals(MemorySegment.NULL);
      if (error != 0 || none) return null;
      MemorySegment name = entry.get(NativeText.ADDRESS, NAME);
      int group = entry.get(ValueLayout.JAVA_INT, GROUP);
      return new SystemUsers.User(name.getString(0), groups(arena, name, group, groupsMax));
    }
  }

  private static int lookUp(
      int user, MemorySegment entry, MemorySegment texts, MemorySegment found) {
    try {
      return (int) FIND.invokeExact(user, entry, texts, texts.byteSize(), found);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static RuntimeException broken(Throwable e) {
    if (e instanceof RuntimeException same) return same;
    if (e instanceof Error same) throw same;
    return new IllegalStateException("a call of the C library", e);
  }

  private static List<Integer> groups(Arena arena, MemorySegment name, int group, int max) {
    MemorySegment list = arena.allocate(ValueLayout.JAVA_INT, max);
    MemorySegment count = arena.allocateFrom(ValueLayout.JAVA_INT, max);
    int all;
    try {
      all = (int) GROUPS.invokeExact(name, group, list, count);
    } catch (Throwable e) {
      throw broken(e);
    }
    // With more groups than fit it fails, and has given as many as fit.
    int given = all < 0 ? max : all;
    List<Integer> groups = new ArrayList<>(List.of(group));
    for (int i = 0; i < given && groups.size() < max; i++) {
      int each = list.getAtIndex(ValueLayout.JAVA_INT, i);
      if (!groups.contains(each)) groups.add(each);
    }
    return groups;
  }
}
