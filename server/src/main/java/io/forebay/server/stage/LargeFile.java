// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageNote;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.StageDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file whose ranges several servers copy into one draft.
 *
 * <ol>
 *   <li>The server that walks looks at the target, and begins a draft.
 *   <li>Any server copies a range into the draft, and makes it durable.
 *   <li>When no range is left, the server that walks looks at the source again, and gives the draft
 *       its name.
 *   <li>If the source has changed, or a server is gone that had a range, all begins again with
 *       another draft: a server that is only slow may still write into the first one.
 * </ol>
 *
 * Any thread.
 */
final class LargeFile {
  /** A range is divided into parts of at least its length divided by this. */
  private static final int SPLIT_MAX = 4;

  /** What it uses of the work at its stage. */
  interface Ground {
    String draftName();

    /** A task for other servers, or null if none of them can do it. */
    StageNote.@Nullable Task task(StageNote.Part part, String draft, long offset, long length);

    /** Adds work that follows from other work. */
    void add(Work work);

    void copyRange(StageNote.Task task) throws IOException;

    /** Another server has copied a range. */
    void copied(StageNote.Result result);

    /** It is done. */
    void done(LargeFile file, long sizeBytes, boolean present);

    void failed(LargeFile file, String path, IOException reason);
  }

  private final Ground ground;
  private final FileCopy rules;
  private final StageDirectory source;
  private final StageDirectory target;
  private final String name;
  private final long rangeBytes;
  private Item item;
  private StageDirectory.@Nullable Draft draft;
  private String draftName = "";
  private int tries;
  private int left;
  private boolean spoiled;
  private boolean lost;
  private @Nullable IOException failure;

  /** A file that was found; takes over the holds of both directories. */
  LargeFile(
      Ground ground,
      FileCopy rules,
      StageWork.Place source,
      StageWork.Place target,
      long rangeBytes) {
    this.ground = ground;
    this.rules = rules;
    this.source = source.directory();
    this.item = source.item();
    this.target = target.directory();
    this.name = target.item().name();
    this.rangeBytes = rangeBytes;
  }

  /** The work to do first. */
  Work start() {
    return local(this::begin);
  }

  private Work local(Runnable action) {
    return new Work() {
      @Override
      public StageNote.@Nullable Task task() {
        return null;
      }

      @Override
      public void run() {
        action.run();
      }

      @Override
      public void done(StageNote.Result result) {
        throw new IllegalStateException("done elsewhere");
      }

      @Override
      public void lost() {
        throw new IllegalStateException("never given away");
      }
    };
  }

  private void begin() {
    try {
      Item there = target.look(name);
      if (there != null && there.isCopyOf(item)) {
        ground.done(this, item.sizeBytes(), true);
        return;
      }
      rules.requireReplaceable(there, target.pathOf(name));
      List<Work> ranges = new ArrayList<>();
      synchronized (this) {
        // A server that is gone says nothing about the file.
        if (!lost) tries++;
        lost = false;
        spoiled = false;
        draftName = ground.draftName();
        draft = target.draft(draftName);
        StageNote.Part part =
            new StageNote.Part(
                source.path(), target.path(), false, List.of(TaskCopy.file(item, name)));
        for (long at = 0; at < item.sizeBytes(); at += rangeBytes) {
          ranges.add(new Range(part, draftName, at, Math.min(rangeBytes, item.sizeBytes() - at)));
        }
        left = ranges.size();
      }
      for (int i = ranges.size() - 1; i >= 0; i--) ground.add(ranges.get(i));
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(Reasons.cause(e));
    }
  }

  /** A range is over; after the last one the file can be finished. */
  private void rangeOver() {
    boolean last;
    synchronized (this) {
      last = --left == 0;
    }
    // Without the lock: the queue takes it when it divides a range.
    if (last) ground.add(local(this::finish));
  }

  private void finish() {
    try {
      IOException why;
      boolean again;
      synchronized (this) {
        why = failure;
        again = spoiled;
      }
      if (why != null) throw why;
      if (!again && isWhole()) {
        StageDirectory.Draft whole = draft;
        if (whole == null) throw new IllegalStateException("no draft of " + name);
        whole.finish(item.withName(name));
        whole.close();
        ground.done(this, item.sizeBytes(), false);
        return;
      }
      close();
      Item now = source.look(item.name());
      if (now == null) throw new NoSuchFileException(source.pathOf(item.name()));
      if (tries == FileCopy.TRIES_MAX && !lost) throw FileCopy.changing();
      item = now;
      begin();
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(Reasons.cause(e));
    }
  }

  private boolean isWhole() throws IOException {
    Item written = target.look(draftName);
    boolean complete = written != null && written.sizeBytes() == item.sizeBytes();
    return complete && FileCopy.isUnchanged(source, item);
  }

  private void fail(IOException e) {
    ground.failed(this, source.pathOf(item.name()), e);
  }

  /** Removes the draft unless it was finished. */
  void close() {
    StageDirectory.Draft begun;
    synchronized (this) {
      begun = draft;
      draft = null;
    }
    try {
      if (begun != null) begun.close();
    } catch (IOException e) {
      // The next start of the stage removes it.
      return;
    }
  }

  /** Closes it, and the directories. */
  void release() {
    close();
    source.close();
    target.close();
  }

  private final class Range implements Work {
    private final StageNote.Part part;
    private final long offset;
    private long lengthBytes;
    private final String into;
    private boolean onlyHere;

    Range(StageNote.Part part, String into, long offset, long lengthBytes) {
      this.part = part;
      this.into = into;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
    }

    @Override
    public boolean isLong() {
      return true;
    }

    /** Called with the lock of the queue, as all before it is begun. */
    @Override
    public @Nullable Work split() {
      long kept = lengthBytes / 2;
      if (onlyHere || kept < rangeBytes / SPLIT_MAX) return null;
      Range rest = new Range(part, into, offset + kept, lengthBytes - kept);
      lengthBytes = kept;
      synchronized (LargeFile.this) {
        left++;
      }
      return rest;
    }

    @Override
    public StageNote.@Nullable Task task() {
      return onlyHere ? null : ground.task(part, into, offset, lengthBytes);
    }

    @Override
    public void run() {
      try {
        ground.copyRange(
            new StageNote.Task(StageNote.VERSION, "", List.of(part), into, offset, lengthBytes));
      } catch (FileCopy.Ended e) {
        // The stage has ended, and with it the draft.
        return;
      } catch (IOException e) {
        note(e);
      } catch (RuntimeException e) {
        note(Reasons.cause(e));
      }
      rangeOver();
    }

    private void note(IOException e) {
      synchronized (LargeFile.this) {
        // A source that has changed, or a ring that was busy, is tried again as a whole.
        if (tries < FileCopy.TRIES_MAX && !Reasons.endsAll(e)) spoiled = true;
        else if (failure == null) failure = e;
      }
    }

    @Override
    public void done(StageNote.Result result) {
      if (result.undone().isEmpty()) {
        ground.copied(result);
        rangeOver();
        return;
      }
      // Here it is seen why.
      onlyHere = true;
      ground.add(this);
    }

    @Override
    public void lost() {
      synchronized (LargeFile.this) {
        spoiled = true;
        lost = true;
      }
      rangeOver();
    }
  }
}
