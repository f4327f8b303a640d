// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.count.Profiler;
import io.forebay.mount.fuse.operation.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes and programs of calling threads, from /proc. What was read holds for a moment, the
 * longer the older the process is: a young one may become another program by exec(3). Any thread.
 */
final class CallingPrograms {
  static final String UNKNOWN = "(unknown)";

  private static final int REMEMBERED_MAX = 1024;
  private static final long HOLDS_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long HOLDS_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1280);
  private static final int NO_USER = -1;
  private static final String NAME = "Name:";
  private static final String PROCESS = "Tgid:";

  /**
   * A thread that calls.
   *
   * @param program the number of its program
   */
  record Calling(int program, int process) {}

  private record Known(Calling calling, int user, long readNanos, long holdsNanos) {}

  private final Profiler profiler;
  private final Path proc;
  private final LongSupplier clock;
  private final ConcurrentHashMap<Integer, Known> threads = new ConcurrentHashMap<>();

  CallingPrograms(Profiler profiler, Path proc, LongSupplier clock) {
    this.profiler = profiler;
    this.proc = proc;
    this.clock = clock;
  }

  Calling of(Caller who) {
    return of(who.thread(), who.user());
  }

  Calling of(int thread, int user) {
    Known known = threads.get(thread);
    if (known == null || known.user != user) return read(thread, user, null);
    boolean holds = clock.getAsLong() - known.readNanos < known.holdsNanos;
    return holds ? known.calling : read(thread, user, known);
  }

  /** The same, and what is known of a young process does not hold. */
  Calling now(int thread, int user) {
    Known known = threads.get(thread);
    boolean old = known != null && known.user == user && known.holdsNanos == HOLDS_NANOS_MAX;
    return old ? of(thread, user) : read(thread, user, known);
  }

  private Calling read(int thread, int user, @Nullable Known before) {
    Calling read = read(thread, user);
    long holds = HOLDS_NANOS_MIN;
    if (before != null && before.user == user) {
      // A process that has ended is the one that it was.
      if (read.process == 0) read = before.calling;
      holds = Math.min(2 * before.holdsNanos, HOLDS_NANOS_MAX);
    }
    if (threads.size() >= REMEMBERED_MAX) threads.clear();
    threads.put(thread, new Known(read, user, clock.getAsLong(), holds));
    return read;
  }

  /** A process by its number alone: as it was known when it made another call. */
  Calling of(int process) {
    Known known = threads.get(process);
    return known == null ? unknown(NO_USER) : known.calling;
  }

  private Calling unknown(int user) {
    return new Calling(profiler.program(new ProgramName(user, UNKNOWN)), 0);
  }

  private Calling read(int thread, int user) {
    String name = UNKNOWN;
    int process = 0;
    try {
      for (String line : text(thread, "status").split("\n", -1)) {
        if (line.startsWith(NAME)) name = line.substring(NAME.length()).strip();
        if (!line.startsWith(PROCESS)) continue;
        process = Integer.parseInt(line.substring(PROCESS.length()).strip());
        break;
      }
      // A thread can have a name of its own.
      if (process != thread) name = text(process, "comm").strip();
    } catch (IOException | NumberFormatException gone) {
      // It has ended, or is in another PID namespace, or the kernel itself calls.
      return unknown(user);
    }
    return new Calling(profiler.program(new ProgramName(user, name)), process);
  }

  private String text(int process, String file) throws IOException {
    // ISO 8859-1: a name can have any bytes.
    byte[] bytes = Files.readAllBytes(proc.resolve(Integer.toString(process)).resolve(file));
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
