// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Functions of the C library that we use besides libfuse. Any thread. */
public final class LibC {
  private static final Logger LOG = LoggerFactory.getLogger(LibC.class);

  /** The flag that detaches a mount even if it is in use. */
  public static final int MNT_DETACH = 2;

  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle UMOUNT =
      errnoFunction("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle OPEN =
      errnoFunction("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle STATFS =
      errnoFunction("statfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  /** More than the structure of any Linux has. */
  private static final long STATFS_BYTES = 512;

  private static final MethodHandle SYNCFS =
      errnoFunction("syncfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      errnoFunction("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle POLL =
      errnoFunction("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle FREE = free();

  private static final StructLayout POLL_FD =
      MemoryLayout.structLayout(
          JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));
  private static final short POLLIN = 1;

  private LibC() {}

  @SuppressWarnings("restricted") // Processes are started with native access.
  private static MethodHandle errnoFunction(String name, FunctionDescriptor descriptor) {
    MemorySegment symbol = Linker.nativeLinker().defaultLookup().findOrThrow(name);
    return Linker.nativeLinker()
        .downcallHandle(symbol, descriptor, Linker.Option.captureCallState("errno"));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle free() {
    MemorySegment symbol = Linker.nativeLinker().defaultLookup().findOrThrow("free");
    return Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  /** Frees memory that libfuse has allocated. */
  public static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  /** Unmounts; 0 or an error number. */
  public static int umount(Path directory, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      MemorySegment path = arena.allocateFrom(directory.toString());
      int result = (int) UMOUNT.invokeExact(captured, path, flags);
      return result == 0 ? 0 : (int) ERRNO.get(captured, 0L);
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  /**
   * Asks for the space of a directory's file system; 0 or an error number. It needs no right to the
   * directory itself.
   */
  public static int tryStatfs(Path directory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      MemorySegment answer = arena.allocate(STATFS_BYTES, Long.BYTES);
      int result =
          (int) STATFS.invokeExact(captured, arena.allocateFrom(directory.toString()), answer);
      return result == 0 ? 0 : (int) ERRNO.get(captured, 0L);
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  /** Makes the kernel write back its cache of a directory's file system. */
  public static void sync(Path directory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      int descriptor =
          (int) OPEN.invokeExact(captured, arena.allocateFrom(directory.toString()), 0);
      if (descriptor < 0) return;
      int synced = (int) SYNCFS.invokeExact(captured, descriptor);
      int closed = (int) CLOSE.invokeExact(captured, descriptor);
      if (synced != 0 || closed != 0) {
        LOG.warn("'{}' was not written back: error {}", directory, (int) ERRNO.get(captured, 0L));
      }
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  /** Whether there is something to read from a descriptor, now. */
  public static boolean isReadable(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      MemorySegment asked = arena.allocate(POLL_FD);
      asked.set(JAVA_INT, FuseLayouts.at(POLL_FD, "fd"), descriptor);
      asked.set(JAVA_SHORT, FuseLayouts.at(POLL_FD, "events"), POLLIN);
      return (int) POLL.invokeExact(captured, asked, 1L, 0) > 0;
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  /**
   * Compares our layout of {@code stat} with the JDK's attributes of a file: the cheapest proof
   * that the layout is right.
   */
  @SuppressWarnings("restricted")
  static void checkStat() throws FuseUnavailable {
    Optional<MemorySegment> symbol = Linker.nativeLinker().defaultLookup().find("stat");
    // A C library that has it inline only; then only the test proves the layout.
    if (symbol.isEmpty()) return;
    MethodHandle stat =
        Linker.nativeLinker()
            .downcallHandle(symbol.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    Path file = Path.of("/proc/self/exe");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(FuseLayouts.STAT);
      int result = (int) stat.invokeExact(arena.allocateFrom(file.toString()), found);
      Map<String, Object> known =
          Files.readAttributes(file, "unix:ino,mode,nlink,uid,gid,size", new LinkOption[0]);
      boolean same =
          result == 0
              && longOf(known, "ino") == value(found, "st_ino")
              && longOf(known, "mode") == value(found, "st_mode")
              && longOf(known, "nlink") == value(found, "st_nlink")
              && longOf(known, "uid") == value(found, "st_uid")
              && longOf(known, "gid") == value(found, "st_gid")
              && longOf(known, "size") == value(found, "st_size");
      if (!same) {
        throw new FuseUnavailable(
            "this system's C library has another 'struct stat' than 64-bit x86 Linux usually has;"
                + " mounting is refused, since files would show wrong sizes");
      }
    } catch (FuseUnavailable e) {
      throw e;
    } catch (IOException e) {
      // Then there is no /proc, and nothing to compare with.
      return;
    } catch (Throwable e) {
      throw LibFuse.broken(e);
    }
  }

  private static long longOf(Map<String, Object> known, String name) {
    return known.get(name) instanceof Number number ? number.longValue() : -1;
  }

  private static long value(MemorySegment stat, String member) {
    PathElement path = PathElement.groupElement(member);
    MemoryLayout layout = FuseLayouts.STAT.select(path);
    long at = FuseLayouts.at(FuseLayouts.STAT, member);
    return layout.byteSize() == Long.BYTES ? stat.get(JAVA_LONG, at) : stat.get(JAVA_INT, at);
  }
}
