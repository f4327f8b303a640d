package io.forebay.bench.mount;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Lets the kernel forget what it has of one file, and of no other, by {@code posix_fadvise}: all of
 * the page cache would be missing to others, and takes long. Any thread.
 */
public final class FilePages {
  private static final int READ_ONLY = 0;
  private static final int DONT_NEED = 4;

  private final MethodHandle open;
  private final MethodHandle advise;
  private final MethodHandle close;

  public FilePages() {
    open =
        bind(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    advise =
        bind(
            "posix_fadvise",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    close = bind("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  /** Forgets a file that has been forced: what is not written yet stays. */
  public void forget(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      int descriptor = (int) open.invokeExact(path, READ_ONLY);
      if (descriptor < 0) throw new IOException(file + " cannot be opened");
      int failure = (int) advise.invokeExact(descriptor, 0L, 0L, DONT_NEED);
      int closed = (int) close.invokeExact(descriptor);
      if (failure != 0 || closed != 0) throw new IOException(file + " cannot be forgotten");
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of the C library failed", e);
    }
  }
}
