// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.base.Answers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk that is a real directory. Requests are carried out by a few daemon threads of its own,
 * through the page cache; the names of created and deleted files are durable when answered.
 *
 * <p>A process that dies during a create leaves the file behind, at any length.
 */
public final class FileDisk implements Disk {
  private static final Logger LOG = LoggerFactory.getLogger(FileDisk.class);

  /** How long closing waits for the operations that are running; a device may hang. */
  private static final long CLOSE_WAIT_SECONDS = 60;

  private final Path path;
  private final FileDirectory directory;
  private final Answers answers;
  // Its queue holds no more than the pending requests, which Answers bounds, and one read-ahead.
  private final ThreadPoolExecutor threads;
  private boolean closed;

  /**
   * Opens the disk and starts its threads.
   *
   * @param path an existing directory with only this disk's files
   * @param threadCount how many requests are carried out at a time
   * @param pendingMax more unanswered requests than this are a mistake of the owner
   * @param wakeUp called from the disk's threads whenever a completion has become due
   */
  public FileDisk(Path path, int threadCount, int pendingMax, Runnable wakeUp) throws IOException {
    this.path = path;
    this.directory = new FileDirectory(path);
    this.answers = new Answers(pendingMax, wakeUp);
    this.threads =
        new ThreadPoolExecutor(
            threadCount,
            threadCount,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            namedThreads(path));
  }

  @Override
  public void create(String name, long bytes, Completion completion) {
    Requests.requireSize(name, bytes);
    submit(name, completion, () -> directory.create(name, bytes));
  }

  @Override
  public void write(String name, long position, ByteBuffer source, Completion completion) {
    submit(name, completion, () -> directory.file(name).write(position, source));
  }

  @Override
  public void read(String name, long position, ByteBuffer target, Completion completion) {
    submit(name, completion, () -> directory.file(name).read(position, target));
  }

  @Override
  public void force(String name, Completion completion) {
    submit(name, completion, () -> directory.file(name).force());
  }

  @Override
  public void delete(String name, Completion completion) {
    submit(name, completion, () -> directory.delete(name));
  }

  @Override
  public void map(String name, Completion completion) {
    submit(name, completion, () -> directory.map(name));
  }

  @Override
  public ByteBuffer mapped(String name) {
    requireOpen();
    ByteBuffer view = directory.mapped(name);
    if (view == null) throw new IllegalStateException(path + ": " + name + " is not mapped");
    return view;
  }

  @Override
  public int poll() {
    return answers.poll();
  }

  @Override
  public int pending() {
    return answers.pending();
  }

  @Override
  public void await(long timeoutNanos) throws InterruptedException {
    answers.await(timeoutNanos);
  }

  @Override
  public List<FileEntry> list() throws IOException {
    requireOpen();
    return directory.list();
  }

  @Override
  public void readNow(String name, long position, ByteBuffer target) throws IOException {
    requireOpen();
    Requests.requirePlainName(name);
    directory.readAlone(name, position, target);
  }

  @Override
  public void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException {
    requireOpen();
    Requests.requirePlainName(name);
    Requests.requireScan(from, to, chunkBytes);
    OpenFile file = directory.file(name);
    Requests.requireInside(name, from, to - from, file.bytes());
    new ReadAhead(threads, file, chunkBytes).scan(from, to, visitor);
  }

  @Override
  public void close() {
    if (closed) return;
    closed = true;
    // Not shutdownNow: an interrupt would break the channel of the operation that is running.
    threads.getQueue().clear();
    threads.shutdown();
    boolean stopped = awaitThreads();
    answers.abandon();
    if (!stopped) {
      LOG.warn("{}: an operation hangs; its files stay open and mapped", path);
      return;
    }
    try {
      directory.close();
    } catch (IOException failure) {
      // Everything that had to be durable was forced before, so closing has nothing left to lose.
      LOG.warn("{}: closing failed", path, failure);
    }
  }

  void submit(String name, Completion completion, Outcomes.Operation operation) {
    requireOpen();
    Requests.requirePlainName(name);
    answers.expect();
    threads.execute(() -> carryOut(name, completion, operation));
  }

  /**
   * Always has an outcome: an owner whose request is never answered would wait forever. A lack of
   * memory is thrown on, for the process to end by it.
   */
  private void carryOut(String name, Completion completion, Outcomes.Operation operation) {
    try {
      Outcome outcome = Outcomes.of(operation);
      answers.answer(() -> completion.completed(outcome));
    } catch (RuntimeException broken) {
      broke(name, completion, broken);
    } catch (OutOfMemoryError broken) {
      broke(name, completion, broken);
      throw broken;
    }
  }

  private void broke(String name, Completion completion, Throwable cause) {
    LOG.error("{}: a request for {} broke", path, name, cause);
    Outcome failed = new Outcome.Failure(Reason.IO, cause.toString());
    answers.answer(() -> completion.completed(failed));
  }

  private void requireOpen() {
    if (closed) throw new IllegalStateException(path + ": closed");
  }

  private boolean awaitThreads() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_WAIT_SECONDS);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupt) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private static ThreadFactory namedThreads(Path path) {
    return Thread.ofPlatform().daemon().name("disk-" + path.getFileName() + "-", 0).factory();
  }
}
