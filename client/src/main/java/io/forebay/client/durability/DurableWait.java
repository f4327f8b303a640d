// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import io.forebay.base.MonotonicClock;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.FileTree;
import io.forebay.client.file.TreeWalk;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the backing store has files in the version at which they were added. Later writes are
 * not waited for. Called by one thread.
 */
public final class DurableWait {
  /** No more files are waited for at once. */
  static final int FILES_MAX = 4 * 1024 * 1024;

  private static final long LOOK_NANOS_MIN = 10_000_000L;
  private static final long LOOK_NANOS_MAX = 1_000_000_000L;

  /** Each file makes a look more work, so that there are fewer. */
  private static final long LOOK_NANOS_PER_FILE = 100_000L;

  /** The next look comes after this part of the time that it will still take, as it seems. */
  private static final int LOOKS_LEFT = 5;

  /** The minimum time between two drain requests to the same home. */
  private static final long ASK_NANOS = 500_000_000L;

  /** How long to wait when a failure needs a repair: the operator may be at work on it. */
  static final long REPAIR_NANOS = 30_000_000_000L;

  /** Asks that the files be drained. */
  public interface Request {
    void ask() throws IOException;
  }

  /** Pages of the ledger. */
  interface Pages {
    /** Entries behind a file's number. */
    Names.LedgerIs page(long after, int max) throws IOException;
  }

  /** Lets time pass between two looks. */
  interface Pause {
    void pause(long nanos) throws InterruptedIOException;
  }

  /** A file as it was when it was added, and its last reported state. */
  private static final class Awaited {
    final String path;
    final boolean named;
    final FileStat stat;
    Ledger.@Nullable Entry last;

    Awaited(String path, boolean named, FileStat stat) {
      this.path = path;
      this.named = named;
      this.stat = stat;
    }

    boolean is(Ledger.State state) {
      return last != null && last.state() == state;
    }

    long storedBytes() {
      return last == null ? 0 : Math.min(stat.sizeBytes(), last.storedBytes());
    }
  }

  private final FileTree tree;
  private final Pages pages;
  private final MonotonicClock clock;
  private final Pause pause;
  private final TreeMap<Long, Awaited> waiting = new TreeMap<>();
  private long files;
  private long bytes;
  private long durableBytes;
  private long bytesPerSecond;
  private String trouble = "";
  private Names.DrainOutlook outlook = Names.DrainOutlook.GOES_ON;

  /** Since when nothing can come of it until an operator acts. */
  private long repairSinceNanos;

  public DurableWait(FileTree tree, Drains drains) {
    this(tree, drains::page, MonotonicClock.system(), DurableWait::sleep);
  }

  DurableWait(FileTree tree, Pages pages, MonotonicClock clock, Pause pause) {
    this.tree = tree;
    this.pages = pages;
    this.clock = clock;
    this.pause = pause;
  }

  /** A file, or all files below a directory, as they are now. */
  public void add(String path) throws IOException {
    FileStat stat = tree.stat(path);
    if (stat.isDirectory()) TreeWalk.files(tree, path, (each, at) -> add(each, false, at));
    else add(path, true, stat);
  }

  private void add(String path, boolean named, FileStat stat) throws IOException {
    if (waiting.size() >= FILES_MAX) {
      String detail = "more than " + FILES_MAX + " files are too many to wait for at once";
      throw new FileRefusedException(path, ErrorCode.TOO_LARGE, detail);
    }
    if (waiting.putIfAbsent(stat.number(), new Awaited(path, named, stat)) != null) return;
    files++;
    bytes += stat.sizeBytes();
  }

  /**
   * Waits for all of them.
   *
   * @param request repeated if a file is not going to be drained: a home forgets requests when
   *     another server takes over the tree
   * @param progress called after each look at the ledger
   * @throws NotDurableException if a file is not durable in time, or waiting cannot help
   */
  public void await(Duration timeout, @Nullable Request request, Consumer<DrainProgress> progress)
      throws IOException {
    long startNanos = clock.nanos();
    long allowedNanos = nanos(timeout);
    long movedNanos = startNanos;
    long askedNanos = startNanos;
    DrainProgress before = progress();
    repairSinceNanos = startNanos;
    while (true) {
      look();
      DrainProgress now = progress();
      if (waiting.isEmpty()) {
        progress.accept(now);
        return;
      }
      long waitedNanos = clock.nanos() - startNanos;
      boolean hopeless = isHopeless(request != null);
      if (waitedNanos >= allowedNanos || hopeless) {
        throw late(Duration.ofNanos(waitedNanos), hopeless);
      }
      progress.accept(now);
      if (now.storedBytes() != before.storedBytes()
          || now.filesDurable() != before.filesDurable()) {
        movedNanos = clock.nanos();
      }
      before = now;
      if (request != null && isForgotten() && clock.nanos() - askedNanos > ASK_NANOS) {
        request.ask();
        askedNanos = clock.nanos();
      }
      long stuckNanos = clock.nanos() - movedNanos;
      pause.pause(Math.min(allowedNanos - waitedNanos, pauseNanos(now, waitedNanos, stuckNanos)));
    }
  }

  /**
   * Whether waiting cannot help: a drain must be requested, or the operator must repair the store.
   */
  private boolean isHopeless(boolean asks) {
    boolean unasked = outlook == Names.DrainOutlook.NEEDS_REQUEST && !asks && isForgotten();
    boolean broken =
        outlook == Names.DrainOutlook.NEEDS_REPAIR
            || waiting.values().stream().anyMatch(each -> each.is(Ledger.State.CHANGED));
    if (!broken) repairSinceNanos = clock.nanos();
    return unasked || clock.nanos() - repairSinceNanos >= REPAIR_NANOS;
  }

  private boolean isForgotten() {
    return waiting.values().stream().anyMatch(each -> each.is(Ledger.State.BUFFERED));
  }

  /** Short when almost everything is stored, so that callers wait little longer than needed. */
  private long pauseNanos(DrainProgress now, long waitedNanos, long stuckNanos) {
    double share = now.bytes() == 0 ? 1 : (double) now.storedBytes() / now.bytes();
    // Before the first byte is stored, the rate is unknown.
    double leftNanos = share == 0 ? waitedNanos : waitedNanos * (1 - share) / share;
    long least = LOOK_NANOS_MIN + waiting.size() * LOOK_NANOS_PER_FILE;
    long wanted = Math.max((long) leftNanos, stuckNanos) / LOOKS_LEFT;
    return Math.min(LOOK_NANOS_MAX, Math.max(least, wanted));
  }

  /** The maximum if the duration overflows: longer than any caller waits. */
  private static long nanos(Duration timeout) {
    try {
      return timeout.toNanos();
    } catch (ArithmeticException tooLong) {
      return Long.MAX_VALUE;
    }
  }

  private static void sleep(long nanos) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for the backing store");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Reads the ledger entries of files that are not durable yet, and few others. */
  private void look() throws IOException {
    Long next = waiting.isEmpty() ? null : waiting.firstKey();
    while (next != null) {
      Names.LedgerIs page = pages.page(next - 1, Math.min(Drains.PAGE, waiting.size()));
      bytesPerSecond = page.bytesPerSecond();
      trouble = page.trouble();
      outlook = page.outlook();
      long at = next;
      for (Names.LedgerEntry told : page.entries()) {
        if (told.file() < at) continue;
        forget(at, told.file());
        at = told.file() + 1;
        Awaited awaited = waiting.get(told.file());
        if (awaited != null) heard(awaited, Ledger.Entry.of(told));
      }
      boolean more = page.more() && !page.entries().isEmpty();
      if (!more) forget(at, Long.MAX_VALUE);
      next = more ? waiting.ceilingKey(at) : null;
    }
  }

  private void heard(Awaited awaited, Ledger.Entry entry) {
    awaited.last = entry;
    if (!entry.isDurable(awaited.stat.version())) return;
    durableBytes += awaited.stat.sizeBytes();
    waiting.remove(awaited.stat.number());
  }

  /** Files that are missing in the ledger are deleted. Below a directory that is no failure. */
  private void forget(long from, long to) throws NoSuchFileException {
    Map<Long, Awaited> gone = waiting.subMap(from, to);
    for (Awaited awaited : gone.values()) {
      if (awaited.named) {
        throw new NoSuchFileException(awaited.path, null, "it was deleted before it was durable");
      }
      files--;
      bytes -= awaited.stat.sizeBytes();
    }
    gone.clear();
  }

  private DrainProgress progress() {
    long stored = durableBytes;
    for (Awaited awaited : waiting.values()) stored += awaited.storedBytes();
    return new DrainProgress(files - waiting.size(), files, stored, bytes, bytesPerSecond, trouble);
  }

  private NotDurableException late(Duration waited, boolean hopeless) {
    Awaited worst = waiting.firstEntry().getValue();
    for (Awaited awaited : waiting.values()) {
      Ledger.Entry last = awaited.last;
      if (last == null || last.lastError().isEmpty()) continue;
      worst = awaited;
      break;
    }
    Ledger.Entry entry = worst.last;
    if (entry == null) throw new IllegalStateException("nothing was heard of " + worst.path);
    return new NotDurableException(
        new NotDurableException.Late(worst.path, entry, trouble, waiting.size(), waited, hopeless));
  }
}
