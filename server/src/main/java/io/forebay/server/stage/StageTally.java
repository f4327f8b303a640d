// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageNote;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The progress of a stage, and its reportable problems. Any thread. */
final class StageTally implements FileCopy.Tally {
  /** Beyond this number of files, failures are only counted. */
  static final int PROBLEMS_MAX = 10_000;

  private static final int PAGE = 500;

  private long files;
  private long bytes;
  private long filesDone;
  private long filesPresent;
  private long bytesPresent;
  private long bytesCopied;
  private long filesFailed;
  private long notes;
  private boolean counted;
  private String failure = "";
  private final long startedNanos = StageBoard.nanos(Instant.now());
  private final Set<String> others = new TreeSet<>();
  private boolean ended;

  /** The problems of the last recorded page, and of none yet. */
  private List<StageProblem> page = new ArrayList<>();

  private final List<List<StageProblem>> fullPages = new ArrayList<>();
  private int pagesWritten;
  private boolean pageChanged;
  private int problems;

  synchronized void found(long sizeBytes) {
    files++;
    bytes += sizeBytes;
  }

  @Override
  public synchronized void copied(long sizeBytes) {
    bytesCopied += sizeBytes;
  }

  @Override
  public synchronized void done(long sizeBytes, boolean present) {
    filesDone++;
    if (!present) return;
    filesPresent++;
    bytesPresent += sizeBytes;
  }

  /** Another server copies as well. */
  synchronized void takesPart(String server) {
    others.add(server);
  }

  /** Another server has copied files. */
  synchronized void doneElsewhere(StageNote.Result result) {
    filesDone += result.filesDone();
    filesPresent += result.filesPresent();
    bytesPresent += result.bytesPresent();
    bytesCopied += result.bytesCopied();
  }

  /** All files are found. */
  synchronized void counted() {
    counted = true;
  }

  /** A file of those found could not be staged. */
  synchronized void failed(String path, String reason) {
    filesFailed++;
    add(new StageProblem(path, true, reason));
  }

  synchronized void note(String path, String reason) {
    notes++;
    add(new StageProblem(path, false, reason));
  }

  private void add(StageProblem problem) {
    if (problems == PROBLEMS_MAX) return;
    problems++;
    page.add(problem);
    pageChanged = true;
    if (page.size() < PAGE) return;
    fullPages.add(page);
    page = new ArrayList<>();
  }

  /** The whole stage cannot be done; the first reason counts. */
  synchronized void fail(String sentence) {
    if (failure.isEmpty()) failure = sentence;
    ended = true;
  }

  /** Nothing more is to be begun. */
  synchronized void end() {
    ended = true;
  }

  @Override
  public synchronized boolean ended() {
    return ended;
  }

  synchronized boolean isWell() {
    return failure.isEmpty() && filesFailed == 0;
  }

  synchronized StageNote.Progress progress(
      StageStatus.State state, int attempt, String server, long endedNanos) {
    return new StageNote.Progress(
        StageNote.VERSION,
        state,
        attempt,
        server,
        counted,
        files,
        bytes,
        filesDone,
        filesPresent,
        bytesPresent,
        bytesCopied,
        filesFailed,
        notes,
        failure,
        List.copyOf(others),
        startedNanos,
        endedNanos);
  }

  /** The problems that are not recorded yet. */
  synchronized List<StageProblem> problems() {
    return List.copyOf(page);
  }

  /** Writes down the problems that are new. One thread at a time. */
  void writeProblems(StageBoard board, String id) throws IOException {
    List<List<StageProblem>> full;
    List<StageProblem> last;
    synchronized (this) {
      if (!pageChanged) return;
      pageChanged = false;
      full = List.copyOf(fullPages);
      fullPages.clear();
      last = List.copyOf(page);
    }
    for (List<StageProblem> each : full) board.problems(id, pagesWritten++, each);
    if (!last.isEmpty()) board.problems(id, pagesWritten, last);
  }
}
