// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A task of another server's stage. A thread does it, others look at it and stop it. */
final class HelperTask implements Runnable, FileCopy.Tally {
  private final String key;
  private final StageNote.Task what;
  private final Sides sides;
  private final boolean replace;
  private final AtomicInteger drafts = new AtomicInteger();
  private long filesDone;
  private long filesPresent;
  private long bytesPresent;
  private long bytesCopied;
  private StageNote.@Nullable Result result;
  private boolean stopped;

  HelperTask(String key, StageNote.Task what, Sides sides, boolean replace) {
    this.key = key;
    this.what = what;
    this.sides = sides;
    this.replace = replace;
  }

  @Override
  public void run() {
    Set<Integer> undone = new TreeSet<>();
    String unable = "";
    int files = what.parts().stream().mapToInt(part -> part.files().size()).sum();
    try {
      if (ended()) throw new FileCopy.Ended();
      TaskCopy.requireSameFiles(sides.route(), what);
      copy(undone);
    } catch (FileCopy.Ended e) {
      // No server waits for the result.
      IntStream.range(0, files).forEach(undone::add);
    } catch (IOException e) {
      unable = sides.reasons().sentence(e, what.parts().get(0).source());
      IntStream.range(0, files).forEach(undone::add);
    } catch (RuntimeException e) {
      // Another server finds out what is wrong with it.
      IntStream.range(0, files).forEach(undone::add);
    }
    end(unable, new ArrayList<>(undone));
  }

  private void copy(Set<Integer> undone) {
    FileCopy copy = new FileCopy(replace, this, this::draftName);
    TaskCopy all = new TaskCopy(sides.route(), copy, this);
    if (!what.draft().isEmpty()) {
      try {
        all.range(what);
      } catch (IOException | RuntimeException e) {
        undone.add(0);
      }
      return;
    }
    int first = 0;
    for (StageNote.Part part : what.parts()) {
      int before = first;
      all.files(part, (of, index, e) -> undone.add(before + index));
      first += part.files().size();
    }
  }

  private String draftName() {
    return StageWork.DRAFT_PREFIX + key.replace('/', '-') + "-" + drafts.incrementAndGet();
  }

  private synchronized void end(String unable, List<Integer> undone) {
    result =
        new StageNote.Result(
            key, unable, filesDone, filesPresent, bytesPresent, bytesCopied, undone);
  }

  /** Its end, or null while it goes on. */
  synchronized StageNote.@Nullable Result result() {
    return result;
  }

  /** Stops it; says whether it has ended. */
  synchronized boolean stop() {
    stopped = true;
    return result != null;
  }

  @Override
  public synchronized void copied(long bytes) {
    bytesCopied += bytes;
  }

  @Override
  public synchronized void done(long sizeBytes, boolean present) {
    filesDone++;
    if (!present) return;
    filesPresent++;
    bytesPresent += sizeBytes;
  }

  @Override
  public synchronized boolean ended() {
    return stopped;
  }
}
