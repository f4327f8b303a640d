// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayFile;
import io.forebay.client.Nodes;
import io.forebay.client.file.FileStat;
import io.forebay.mount.fuse.operation.Errno;
import java.io.IOException;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps files that are constantly replaced by rename usable by their name. The kernel looks a name
 * up and then opens, or asks for, the node it got; if that node has lost its name by that time, it
 * is gone. On ESTALE the kernel retries once from the name on, and programs get the error if the
 * file was replaced again in between.
 *
 * <ol>
 *   <li>A thread that gets ESTALE is remembered.
 *   <li>When it looks names up again, the files found are opened here, so that they stay.
 *   <li>The kernel opens the file, or asks for it; soon after that it is closed here.
 * </ol>
 *
 * <p>Any thread.
 */
final class StaleRetries {
  /** The maximum time of a thread from a lookup to the operation. */
  private static final long HELD_SECONDS = 30;

  private static final int REMEMBERED_MAX = 1024;

  /** How often a file may be replaced between two requests to the ring. */
  private static final int TRIES_MAX = 100;

  /** A request about a node. */
  interface Work<T> {
    T run() throws IOException;
  }

  private final KernelRights kernel;
  private final Executor later;

  /** Threads that got ESTALE and retry by name. */
  private final Map<Integer, Boolean> told = new LinkedHashMap<>();

  StaleRetries(KernelRights kernel) {
    this(kernel, CompletableFuture.delayedExecutor(HELD_SECONDS, TimeUnit.SECONDS));
  }

  /**
   * The same with another clock.
   *
   * @param later runs the release of files that need not be held any more
   */
  StaleRetries(KernelRights kernel, Executor later) {
    this.kernel = kernel;
    this.later = later;
  }

  /** Runs a thread's work on a node, and remembers the thread if the node is gone. */
  <T> T noting(int thread, Work<T> work) throws IOException {
    try {
      T done = work.run();
      synchronized (this) {
        if (!told.isEmpty()) told.remove(thread);
      }
      return done;
    } catch (IOException e) {
      if (ErrorNumbers.of(e) == Errno.ESTALE) remember(thread);
      throw e;
    }
  }

  private synchronized void remember(int thread) {
    if (told.size() == REMEMBERED_MAX) told.remove(told.keySet().iterator().next());
    told.put(thread, true);
  }

  private synchronized boolean isRetry(int thread) {
    return !told.isEmpty() && told.containsKey(thread);
  }

  /** The node of a name; it is held for a while if the thread got ESTALE before. */
  FileStat lookup(int thread, Nodes as, long directory, String name) throws IOException {
    for (int tries = 1; ; tries++) {
      FileStat found = as.lookup(directory, name);
      if (!found.isFile() || !isRetry(thread)) return found;
      try {
        ForebayFile held =
            kernel.to(found.number()).open(found.number(), List.of(StandardOpenOption.READ));
        later.execute(() -> letGo(held));
        return found;
      } catch (IOException e) {
        if (ErrorNumbers.of(e) != Errno.ESTALE || tries == TRIES_MAX) throw e;
      }
    }
  }

  private static void letGo(ForebayFile held) {
    // Nothing was written through it, so there is nothing to lose.
    var _ = held.closeAsync();
  }
}
