// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayFile;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that programs have open in a mount. Any thread. */
final class OpenFiles {
  /**
   * One descriptor of a program.
   *
   * @param file as this program may use it
   * @param sync whether each write is published before it is answered
   */
  record Handle(NodeFile node, ForebayFile file, boolean reads, boolean writes, boolean sync) {}

  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  private final AtomicLong lastHandle = new AtomicLong();
  private final Map<Long, Handle> handles = new ConcurrentHashMap<>();
  private final Map<Long, NodeFile> nodes = new HashMap<>();
  private final List<CompletableFuture<Void>> closing = new ArrayList<>();
  private volatile boolean lostUntold;

  /** Remembers an opened file; the number of its handle. */
  long add(ForebayFile file, boolean reads, boolean writes, boolean sync) {
    NodeFile node;
    synchronized (this) {
      node = nodes.computeIfAbsent(file.number(), NodeFile::new);
      node.users(1);
      node.add(file, reads, writes);
    }
    long handle = lastHandle.incrementAndGet();
    handles.put(handle, new Handle(node, file, reads, writes, sync));
    return handle;
  }

  Handle get(long handle) throws ErrnoException {
    Handle found = handles.get(handle);
    if (found == null) throw new ErrnoException(Errno.EBADF);
    return found;
  }

  /** The file if any program has it open. */
  synchronized @Nullable NodeFile find(long number) {
    return nodes.get(number);
  }

  /** A program has closed its last descriptor; does not wait. */
  void release(long handle) {
    Handle gone = handles.remove(handle);
    if (gone == null) return;
    synchronized (this) {
      if (gone.node().users(-1) > 0) return;
      nodes.remove(gone.node().number());
      closing.removeIf(CompletableFuture::isDone);
      closing.add(close(gone.node()));
    }
  }

  /** Completes when it is closed, with or without an error. */
  private CompletableFuture<Void> close(NodeFile node) {
    return node.close()
        .exceptionally(
            why -> {
              LOG.warn("the last writes to a file could not be stored: {}", sentence(why));
              if (!node.isFailureTold()) lostUntold = true;
              return null;
            });
  }

  private static String sentence(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
  }

  /** Closes everything; false if it takes longer, or if a loss was reported to no program. */
  boolean closeAll(long nanos) {
    CompletableFuture<Void> all;
    synchronized (this) {
      for (NodeFile node : nodes.values()) closing.add(close(node));
      nodes.clear();
      handles.clear();
      all = CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new));
    }
    try {
      all.get(nanos, TimeUnit.NANOSECONDS);
      return !lostUntold;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }
}
