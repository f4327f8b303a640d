// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.forebay.base.latency.Latencies;
import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.mount.fuse.library.LibC;
import io.forebay.mount.fuse.library.LibFuse;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.FuseOperations;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One mount, from {@link #mount} until it is unmounted, here or from outside. Its own threads
 * handle the requests: a few, and more while all of them are busy. Any thread.
 */
public final class FuseSession implements AutoCloseable {
  private enum State {
    MOUNTED,
    /** The kernel sends no more requests, and no thread is left. */
    OVER
  }

  private static final Logger LOG = LoggerFactory.getLogger(FuseSession.class);

  /** Further requests wait in the kernel. */
  static final int THREADS_MAX = 64;

  /** The maximum number of idle threads; a further one ends. */
  static final int IDLE_MAX = 6;

  /** How long the threads may take to end after an unmount, and an unmount of an unused mount. */
  private static final Duration SHORT = Duration.ofSeconds(10);

  /**
   * The number of checks without a request, and their interval, before the kernel counts as done.
   */
  private static final int QUIET_LOOKS = 5;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  /** Open files hold a file system, and so does each copy of its mount. */
  private static final String HELD =
      "programs, or another mount namespace as of a container, still use it; they get errors";

  private final LibFuse library;
  private final Path directory;
  private final boolean writeback;

  // Held until the end: libfuse calls functions in it.
  private final Arena arena = Arena.ofAuto();
  private final FuseCallbacks upcalls;
  private final @Nullable LockCallbacks locks;
  private final RequestBuffers buffers;
  private final long session;
  private final Set<FuseWorker> workers = new HashSet<>();

  /** The times of threads that have ended. */
  private final Map<RequestKind, Latencies> ended = RequestTimes.none();

  private int idle;
  private int started;
  private long received;
  private State state = State.MOUNTED;

  private FuseSession(
      LibFuse library, Path directory, FuseOperations operations, FuseSettings settings)
      throws IOException {
    this.library = library;
    this.directory = directory;
    this.writeback = settings.writeback();
    this.buffers = new RequestBuffers(settings.keptRequestsMax());
    FuseLocks shared = operations.locks();
    FuseConnection connection = new FuseConnection(settings.writeback(), shared != null);
    this.locks = shared == null ? null : new LockCallbacks(library, operations, shared);
    this.upcalls = new FuseCallbacks(library, operations, connection, locks, arena);
    this.session =
        library.sessionNew(
            arguments(List.of(settings.kind(), "-o", settings.mountOptions())), upcalls.table());
    if (session == 0) {
      throw new IOException("libfuse does not take the options '" + settings.mountOptions() + "'");
    }
  }

  /**
   * Mounts a file system and answers the kernel's requests from now on.
   *
   * @param directory an absolute path; see {@link MountPoint#check}
   * @throws FuseUnavailable if there can be no mount here
   */
  public static FuseSession mount(Path directory, FuseOperations operations, FuseSettings settings)
      throws IOException {
    FuseSession session = new FuseSession(LibFuse.load(), directory, operations, settings);
    session.begin();
    return session;
  }

  /** Fails with the reason if nothing can be mounted on this machine. */
  public static void check() throws FuseUnavailable {
    LibFuse.load();
    MountPoint.checkDevice();
  }

  private MemorySegment arguments(List<String> words) {
    MemorySegment array = arena.allocate(ADDRESS, words.size() + 1L);
    for (int i = 0; i < words.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(words.get(i)));
    }
    MemorySegment arguments = arena.allocate(FuseLayouts.ARGS);
    arguments.set(JAVA_INT, FuseLayouts.at(FuseLayouts.ARGS, "argc"), words.size());
    arguments.set(ADDRESS, FuseLayouts.at(FuseLayouts.ARGS, "argv"), array);
    return arguments;
  }

  private void begin() throws IOException {
    int result;
    try (Arena confined = Arena.ofConfined()) {
      result = library.sessionMount(session, confined.allocateFrom(directory.toString()));
    }
    if (result != 0) {
      library.sessionDestroy(session);
      throw new FuseUnavailable(
          "'"
              + directory
              + "' cannot be mounted on; libfuse says above why. Mounting needs root, or"
              + " fusermount3 with its set-user-id bit, and /dev/fuse");
    }
    synchronized (this) {
      startWorker();
    }
    ReadAhead.enlarge(directory);
  }

  public Path directory() {
    return directory;
  }

  private void startWorker() {
    FuseWorker worker = new FuseWorker(this, buffers, "fuse-" + ++started);
    workers.add(worker);
    worker.start();
  }

  /** Handles one request; false if the thread has to end. */
  boolean next(FuseWorker worker) {
    synchronized (this) {
      if (idle >= IDLE_MAX) return false;
      idle++;
    }
    MemorySegment buffer = worker.buffer();
    int count = library.receive(session, buffer);
    synchronized (this) {
      idle--;
      received++;
      if (count > 0 && idle == 0 && workers.size() < THREADS_MAX) startWorker();
    }
    if (count == -Errno.EINTR) return true;
    if (count <= 0) {
      if (count < 0) LOG.error("the kernel's requests cannot be read any more: error {}", -count);
      return false;
    }
    RequestKind kind = worker.kind();
    long startNanos = System.nanoTime();
    library.process(session, buffer);
    worker.times().add(kind, System.nanoTime() - startNanos);
    return !library.sessionExited(session);
  }

  void ended(FuseWorker worker) {
    synchronized (this) {
      workers.remove(worker);
      worker.times().addTo(ended);
      boolean last = workers.isEmpty();
      if (!last) return;
      state = State.OVER;
      notifyAll();
    }
    buffers.close();
    // Requests that wait for a lock are answered by their own threads.
    if (locks != null) locks.end();
    // Closes the device too; there is nothing left to unmount.
    library.sessionUnmount(session);
    library.sessionDestroy(session);
  }

  /** Makes the kernel ask again for a node's attributes; only within a request. */
  public void invalidateAttributes(long node) {
    int result = library.invalidateAttributes(session, node);
    // Usual: the kernel does not know the node.
    if (result != 0) LOG.debug("node {} was not invalidated: error {}", node, -result);
  }

  /** Makes the kernel ask again for a node's attributes and bytes; not while it waits for those. */
  public void invalidate(long node) {
    int result = library.invalidate(session, node);
    if (result != 0) LOG.debug("node {} was not invalidated: error {}", node, -result);
  }

  /** How long requests took, for monitoring. */
  public synchronized Map<RequestKind, Latencies> times() {
    Map<RequestKind, Latencies> sum = RequestTimes.none();
    sum.putAll(ended);
    for (FuseWorker worker : workers) worker.times().addTo(sum);
    return sum;
  }

  /** Threads of a session. */
  public record Threads(int all, int busy) {}

  /** The threads that handle requests, and those of them that are busy. */
  public synchronized Threads threads() {
    return new Threads(workers.size(), workers.size() - idle);
  }

  /** Whether it has been unmounted, here or from outside. */
  public synchronized boolean isOver() {
    return state == State.OVER;
  }

  /** Waits until it has been unmounted; false if it has not been in time. */
  public synchronized boolean awaitEnd(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (state != State.OVER) {
      long left = end - System.nanoTime();
      if (left <= 0) return false;
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /**
   * Unmounts and waits for it. A mount in use gets time to write back, and is then detached:
   * programs with open files there get errors.
   *
   * @return whether no program used it any more and everything has been written back
   */
  public boolean unmount(Duration patience) {
    if (isOver()) return true;
    int[] errno = {Errno.ETIMEDOUT};
    // The kernel waits for this process in there, as long as it takes.
    Thread unmounting =
        Thread.ofPlatform()
            .daemon()
            .name("fuse-unmount")
            .start(
                () -> {
                  try {
                    errno[0] = Mounts.unmount(directory);
                    if (errno[0] == Errno.EBUSY) writeBack(patience);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } catch (IOException e) {
                    LOG.warn("'{}' cannot be unmounted", directory, e);
                    errno[0] = Errno.EIO;
                  }
                });
    boolean interrupted = false;
    boolean clean = false;
    try {
      // EINVAL: it has been unmounted from outside, and its threads end when programs let go of it.
      boolean unmounted = unmounting.join(patience) && (errno[0] == 0 || errno[0] == Errno.EINVAL);
      clean = unmounted && awaitEnd(SHORT);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (!clean && !isOver()) takeAway();
    if (interrupted) Thread.currentThread().interrupt();
    return clean;
  }

  /** Programs lose the mount now, but none of their writes. */
  private void writeBack(Duration patience) throws InterruptedException {
    LOG.warn("'{}' is in use: programs that have files open there get errors now", directory);
    LibC.sync(directory);
    // At this point the kernel has only requested the write-back of its pages. Programs that
    // continue to read and write never let it become quiet.
    Duration longest = writeback || patience.compareTo(SHORT) < 0 ? patience : SHORT;
    long end = System.nanoTime() + longest.toNanos();
    long before = -1;
    for (int quiet = 0; quiet < QUIET_LOOKS && System.nanoTime() < end; ) {
      long now = receivedIfQuiet();
      quiet = now >= 0 && now == before ? quiet + 1 : 0;
      before = now;
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  /** The number of requests, if all are done and none waits; else -1. */
  private synchronized long receivedIfQuiet() {
    boolean busy = state == State.MOUNTED && idle < workers.size();
    boolean waiting = state == State.MOUNTED && LibC.isReadable(library.sessionDescriptor(session));
    return busy || waiting ? -1 : received;
  }

  private void takeAway() {
    try {
      int errno = Mounts.abort(directory);
      if (errno == Errno.EINVAL) LOG.warn("'{}' is unmounted, but {}", directory, HELD);
      else if (errno != 0) LOG.warn("'{}' cannot be unmounted: error {}", directory, errno);
      else if (!awaitEnd(SHORT)) LOG.warn("requests to '{}' do not end", directory);
    } catch (IOException e) {
      LOG.warn("'{}' cannot be unmounted", directory, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    unmount(SHORT);
  }
}
