package io.forebay.netcdf.driver.logging;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.store.FileStamp;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the mark of a log up to date: what the file looks like after the changes that this program
 * makes to it itself. Any thread.
 *
 * <ol>
 *   <li>Before the program changes the file the mark becomes {@link FileMark.State#CHANGING}.
 *   <li>While it changes the file, the mark notes every {@link #NOTE_NANOS} when the storage says
 *       that the file was modified. A program that is killed here leaves a file that was modified
 *       only a moment after the last note.
 *   <li>When all ranks are done the mark becomes {@link FileMark.State#STEADY}, with a stamp that
 *       the file has for as long as no other program changes it.
 * </ol>
 */
public final class FileWatch {
  /** Marks are kept here. */
  interface Keeper {
    void keep(FileMark mark) throws IOException;
  }

  /** How far apart notes are while the file is changed. */
  private static final long NOTE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** What a write may be late by that was under way when its program was killed. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SLACK_WRITES = 4;

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

  /** A handle whose writes are noted. */
  public SharedFile over(SharedFile opened) {
    return new ForwardingFile(opened) {
      @Override
      public void write(MemorySegment source, long offset) throws IOException {
        long start = clock.nanos();
        super.write(source, offset);
        wrote(clock.nanos() - start);
      }

      @Override
      public void publish() throws IOException {
        long start = clock.nanos();
        super.publish();
        wrote(clock.nanos() - start);
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
  synchronized void changing() throws IOException {
    if (keeper == null) return;
    keep(mark.next(FileMark.State.CHANGING, FileStamp.of(file)));
  }

  /** Step 2. */
  private synchronized void wrote(long nanos) throws IOException {
    if (keeper == null) return;
    mark = mark.withWrite(nanos);
    if (mark.state() != FileMark.State.CHANGING || clock.nanos() - notedNanos < NOTE_NANOS) return;
    keep(mark.next(FileMark.State.CHANGING, FileStamp.of(file)));
  }

  /** What this rank sees of the file. */
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
    notedNanos = clock.nanos();
  }
}
