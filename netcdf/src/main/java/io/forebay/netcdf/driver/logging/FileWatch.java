// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.store.FileStamp;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the mark of a log up to date: the state of the file after this program's own changes. Any
 * thread.
 *
 * <ol>
 *   <li>Before the program changes the file the mark becomes {@link FileMark.State#CHANGING}. Then
 *       the file is touched, and marked again: so the mark has the time at which changes begin, by
 *       the storage's clock.
 *   <li>During the changes this is repeated every {@link #NOTE_NANOS}, before the next write. A
 *       program that is killed here leaves a file that was modified only a moment after the last
 *       mark.
 *   <li>When all ranks are done the mark becomes {@link FileMark.State#STEADY}, with a stamp that
 *       the file keeps as long as no other program changes it.
 * </ol>
 */
public final class FileWatch {
  /** Marks are kept here. */
  interface Keeper {
    void keep(FileMark mark) throws IOException;
  }

  /** The interval between marks while the file is changed. */
  private static final long NOTE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The maximum delay of a write in flight when its program was killed. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SLACK_WRITES = 4;

  /** The magic number, which no program changes. */
  private static final int TOUCHED_BYTES = 4;

  private final Path file;
  private final MonotonicClock clock;
  private @Nullable Keeper keeper;
  private FileMark mark = new FileMark(0, FileMark.State.CHANGING, new FileStamp(0, 0, 0), 0, 0);
  private long notedNanos;

  /** Watches a file; nothing is kept before {@link #keepIn}. */
  public FileWatch(Path file, MonotonicClock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** The latest modification that may be the program's own if its last mark was this one. */
  static long ownUntilNanos(FileMark last) {
    return last.stamp().modifiedNanos() + SLACK_NANOS + SLACK_WRITES * last.writeNanosMax();
  }

  /** A handle that updates the mark on writes. */
  public SharedFile over(SharedFile opened) {
    return new ForwardingFile(opened) {
      @Override
      public void write(MemorySegment source, long offset) throws IOException {
        noteIfDue();
        long start = clock.nanos();
        super.write(source, offset);
        took(clock.nanos() - start);
      }

      @Override
      public void publish() throws IOException {
        noteIfDue();
        long start = clock.nanos();
        super.publish();
        took(clock.nanos() - start);
      }
    };
  }

  /** From now on marks are kept there. */
  synchronized void keepIn(Keeper marks) {
    keeper = marks;
  }

  /** The same for a log that has had marks before. */
  synchronized void keepIn(Keeper marks, FileMark last) {
    keeper = marks;
    mark = last;
  }

  /** Step 1. The caller tells the other ranks before any of them changes the file. */
  void changing() throws IOException {
    changing(FileStamp.of(file));
  }

  /** The same with what all ranks agreed on. */
  synchronized void changing(FileStamp stamp) throws IOException {
    keep(mark.next(FileMark.State.CHANGING, stamp));
    notedNanos = clock.nanos() - NOTE_NANOS;
  }

  /** Updates the file's modification time by rewriting its first bytes. */
  FileStamp touch() throws IOException {
    try (SharedFile opened =
        Storage.standard().open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment first = MemorySegment.ofArray(new byte[TOUCHED_BYTES]);
      if (opened.read(first, 0) == TOUCHED_BYTES) {
        opened.write(first, 0);
        opened.publish();
      }
    }
    return FileStamp.of(file);
  }

  /** Step 2. */
  private synchronized void noteIfDue() throws IOException {
    long now = clock.nanos();
    boolean due = mark.state() == FileMark.State.CHANGING && now - notedNanos >= NOTE_NANOS;
    if (keeper == null || !due) return;
    keep(mark.next(FileMark.State.CHANGING, touch()));
    notedNanos = now;
  }

  private synchronized void took(long nanos) {
    mark = mark.withWrite(nanos);
  }

  /** The file's stamp as this rank sees it. */
  FileStamp look() throws IOException {
    return FileStamp.of(file);
  }

  /** Step 3, with what all ranks agreed on. */
  synchronized void steady(FileStamp stamp, int definitions) throws IOException {
    keep(mark.next(FileMark.State.STEADY, stamp).withDefinitions(definitions));
  }

  private void keep(FileMark next) throws IOException {
    if (keeper == null) return;
    keeper.keep(next);
    mark = next;
  }
}
