// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A directory or file held by a descriptor of the kernel. If a user renames it or puts a symbolic
 * link in its place, {@link #self} and {@link #inside} still lead to the opened node. The JDK's
 * paths cannot do that: they are resolved again for every call. Linux. Any thread may use it, one
 * closes it.
 */
public final class Pinned implements AutoCloseable {
  private static final int AT_CURRENT = -100;
  // Flags of openat on Linux.
  private static final int O_DIRECTORY = 0200000;
  private static final int O_NOFOLLOW = 0400000;
  private static final int O_CLOEXEC = 02000000;
  private static final int O_PATH = 010000000;

  private static final int ENOENT = 2;
  private static final int EACCES = 13;
  private static final int ENOTDIR = 20;
  private static final int EMFILE = 24;
  private static final int ELOOP = 40;

  /** The system's messages for errors that callers treat separately. */
  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(4, "Interrupted system call"),
          Map.entry(5, "Input/output error"),
          Map.entry(6, "No such device or address"),
          Map.entry(12, "Cannot allocate memory"),
          Map.entry(16, "Device or resource busy"),
          Map.entry(19, "No such device"),
          Map.entry(23, "Too many open files in system"),
          Map.entry(EMFILE, "Too many open files"),
          Map.entry(36, "File name too long"),
          Map.entry(107, "Transport endpoint is not connected"),
          Map.entry(108, "Cannot send after transport endpoint shutdown"),
          Map.entry(110, "Connection timed out"),
          Map.entry(111, "Connection refused"),
          Map.entry(112, "Host is down"),
          Map.entry(113, "No route to host"),
          Map.entry(116, "Stale file handle"));

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Both calls; looked up when something is first opened. */
  private static final class Calls {
    static final MethodHandle OPEN = open();
    static final MethodHandle CLOSE = close();

    private Calls() {}

    @SuppressWarnings("restricted") // Processes are started with native access.
    private static MethodHandle open() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("openat"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"),
          Linker.Option.firstVariadicArg(3));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle close() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("close"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }
  }

  private final int descriptor;
  private final Path path;
  private boolean closed;

  private Pinned(int descriptor, Path path) {
    this.descriptor = descriptor;
    this.path = path;
  }

  /** A directory by its whole path, which must be a real one: no part of it may be a link. */
  public static Pinned directory(Path real) throws IOException {
    Pinned at = new Pinned(open(AT_CURRENT, "/", O_DIRECTORY, Path.of("/")), Path.of("/"));
    try {
      for (Path name : real) {
        Pinned next = at.directory(name.toString());
        at.close();
        at = next;
      }
      return at;
    } catch (IOException e) {
      at.close();
      throw e;
    }
  }

  /** A directory in this one; a link is none. */
  public Pinned directory(String name) throws IOException {
    Path below = path.resolve(requireSingle(name));
    return new Pinned(open(descriptor, name, O_DIRECTORY, below), below);
  }

  /** A node of any kind in this directory; a link itself, not its target. */
  public Pinned any(String name) throws IOException {
    Path below = path.resolve(requireSingle(name));
    return new Pinned(open(descriptor, name, 0, below), below);
  }

  /** A name that cannot lead out of its directory. */
  public static String requireSingle(String name) throws IOException {
    boolean single =
        !name.isEmpty() && !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0;
    if (!single || name.indexOf('\0') >= 0)
      throw new FileSystemException(name, null, "it is no name");
    return name;
  }

  private static int open(int at, String name, int flags, Path path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int opened =
          (int)
              Calls.OPEN.invokeExact(
                  state, at, arena.allocateFrom(name), O_PATH | O_NOFOLLOW | O_CLOEXEC | flags);
      if (opened >= 0) return opened;
      throw failure((int) ERRNO.get(state, 0L), path.toString());
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("openat", e);
    }
  }

  private static FileSystemException failure(int errno, String path) {
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(path);
      case EACCES -> new AccessDeniedException(path);
      case ENOTDIR -> new NotDirectoryException(path);
      case ELOOP -> new FileSystemLoopException(path);
      default ->
          new FileSystemException(
              path, null, WORDS.getOrDefault(errno, "it cannot be opened, error " + errno));
    };
  }

  /** The path by which it was opened, for people. */
  public Path path() {
    return path;
  }

  /** A path to the held node, valid while it is held. */
  public Path self() {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** A name in the directory that is held. */
  public Path inside(String name) throws IOException {
    return self().resolve(requireSingle(name));
  }

  @Override
  public void close() {
    if (closed) return;
    closed = true;
    try {
      int _ = (int) Calls.CLOSE.invokeExact(descriptor);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("close", e);
    }
  }
}
