// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.count.Profiler;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.LockRequest;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts calls by the programs that make them. Reads and writes come without their caller: they are
 * those of the process that opened the file, which may have become another program by exec(3) since
 * then. Any thread.
 */
final class CallCounter {
  /** Owners of locks that are remembered. */
  private static final int OWNERS_MAX = 1024;

  /** A file that a process has open. */
  private static final class Opened {
    private final int thread;
    private final int user;
    private volatile boolean used;

    Opened(Caller who) {
      this.thread = who.thread();
      this.user = who.user();
    }
  }

  private final Profiler profiler;
  private final CallingPrograms programs;
  private final ConcurrentHashMap<Long, CallingPrograms.Calling> owners = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Opened> directories = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Opened> handles = new ConcurrentHashMap<>();

  CallCounter(Profiler profiler, CallingPrograms programs) {
    this.profiler = profiler;
    this.programs = programs;
  }

  long now() {
    return profiler.now();
  }

  /** A call for a name, or a node; 0 for none. */
  void called(Caller who, Call call, long node, long start) {
    called(programs.of(who), call, node, start);
  }

  /** Who asks for a lock; the kernel names its process, except where it gives a lock back. */
  CallingPrograms.Calling holder(LockRequest lock) {
    if (lock.process() == 0) {
      CallingPrograms.Calling known = owners.get(lock.owner());
      return known == null ? programs.of(0) : known;
    }
    CallingPrograms.Calling calling = programs.of(lock.process());
    if (owners.size() >= OWNERS_MAX) owners.clear();
    owners.put(lock.owner(), calling);
    return calling;
  }

  void called(CallingPrograms.Calling calling, Call call, long node, long start) {
    profiler.called(calling.program(), call, node, calling.process(), start);
  }

  /** A process has opened a file. */
  void opened(Caller who, Call call, long node, long handle, long start) {
    called(programs.of(who), call, node, start);
    handles.put(handle, new Opened(who));
  }

  /** A call for an open file. */
  void called(long handle, Call call, long node, long start) {
    Opened opened = handles.get(handle);
    if (opened != null) called(programs.of(opened.thread, opened.user), call, node, start);
  }

  /** A read or write of an open file. */
  void accessed(long handle, Call call, long node, long offset, long lengthBytes, long start) {
    Opened opened = handles.get(handle);
    if (opened == null) return;
    CallingPrograms.Calling calling =
        opened.used
            ? programs.of(opened.thread, opened.user)
            : programs.now(opened.thread, opened.user);
    opened.used = true;
    int process = calling.process();
    Profiler.Access access = new Profiler.Access(process, process, start);
    profiler.accessed(calling.program(), call, node, access, offset, lengthBytes);
  }

  void released(long handle) {
    handles.remove(handle);
  }

  void openedDirectory(Caller who, long handle) {
    directories.put(handle, new Opened(who));
  }

  void syncedDirectory(long handle, long start) {
    Opened opened = directories.get(handle);
    if (opened != null) called(programs.of(opened.thread, opened.user), Call.SYNC, 0, start);
  }

  void releasedDirectory(long handle) {
    directories.remove(handle);
  }
}
