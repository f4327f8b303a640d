// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import io.forebay.base.StageKeys;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.Pairs;
import io.forebay.client.ValueStream;
import io.forebay.client.core.route.TreeChoice;
import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the stages of an instance are recorded: in pairs of the tree of all clients. With private
 * access, in a tree that belongs to no client node, so that there is one place for all. The client
 * writes the request once; the server that works on it writes the progress. Any thread.
 */
public final class StageBoard {
  private static final String JOB = StageKeys.of("job");
  private static final String PROGRESS = StageKeys.of("progress");
  private static final String CANCEL = StageKeys.of("cancel");
  private static final String LIST = StageKeys.of("list");
  private static final String PROBLEMS = StageKeys.of("problems");
  private static final String TASK = StageKeys.of("task");
  private static final String REPORT = StageKeys.of("report");
  private static final byte[] MARK = {1};
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  private final Pairs pairs;

  /** The board that a connection by {@link #options} sees. */
  public StageBoard(Forebay connection) {
    this.pairs = connection.pairs();
  }

  /** The options to connect to the board. */
  public static ForebayOptions options(ForebayOptions usual) {
    return usual.withTree(usual.tree().withKind(TreeChoice.Kind.STAGES));
  }

  /** Stages that a server has something to do for. */
  public List<String> open() throws IOException {
    return ids(StageKeys.OPEN);
  }

  /** Stages that must succeed, or be given up, before the instance is gone. */
  public List<String> due() throws IOException {
    return ids(StageKeys.DUE);
  }

  public boolean isDue(String id) throws IOException {
    return pairs.get(StageKeys.DUE + id) != null;
  }

  /** The instance is not gone before the stage has succeeded. */
  public void setDue(String id) throws IOException {
    pairs.put(StageKeys.DUE + id, MARK);
  }

  /** The instance does not wait for the stage any more. */
  public void giveUp(String id) throws IOException {
    pairs.delete(StageKeys.DUE + id);
  }

  /** All stages that are remembered. */
  public List<String> all() throws IOException {
    return ids(JOB);
  }

  private List<String> ids(String prefix) throws IOException {
    List<String> ids = new ArrayList<>();
    for (Iterator<Pairs.Entry> each = pairs.list(prefix); each.hasNext(); ) {
      ids.add(each.next().key().substring(prefix.length()));
    }
    return ids;
  }

  /**
   * Records a new stage. A server sees it when all of it is written.
   *
   * @param list null unless the stage has a list
   */
  public void add(String id, StageNote.Job job, @Nullable InputStream list) throws IOException {
    boolean deferred = job.request().deferred();
    if (list != null) pairs.put(LIST + id, list);
    put(
        PROGRESS + id,
        StageNote.Progress.none(deferred ? StageStatus.State.DEFERRED : StageStatus.State.PENDING));
    put(JOB + id, job);
    if (deferred) setDue(id);
    else begin(id);
  }

  /** Whether a stage of that id is recorded with its mark, or has been done. */
  public boolean isAdded(String id) throws IOException {
    if (job(id) == null) return false;
    return isOpen(id) || isDue(id) || progress(id).state().isOver();
  }

  private boolean isOpen(String id) throws IOException {
    return pairs.get(StageKeys.OPEN + id) != null;
  }

  /** A server has something to do for the stage. */
  public void begin(String id) throws IOException {
    pairs.put(StageKeys.OPEN + id, MARK);
  }

  /** Begins a stage again that has failed; files that are at their destination are skipped. */
  public void retry(String id) throws IOException {
    progress(id, progress(id).asPending());
    begin(id);
  }

  /** Asks the server that works on it, or the next one, to end it. */
  public void cancel(String id) throws IOException {
    pairs.put(CANCEL + id, MARK);
    begin(id);
  }

  public boolean isCancelled(String id) throws IOException {
    return pairs.get(CANCEL + id) != null;
  }

  /** The stage as requested, or null if there is none. */
  public StageNote.@Nullable Job job(String id) throws IOException {
    return read(JOB + id, StageNote.Job.class);
  }

  public StageNote.Progress progress(String id) throws IOException {
    StageNote.Progress known = read(PROGRESS + id, StageNote.Progress.class);
    return known != null ? known : StageNote.Progress.none(StageStatus.State.PENDING);
  }

  public void progress(String id, StageNote.Progress now) throws IOException {
    put(PROGRESS + id, now);
  }

  /** The lines of a list. */
  public InputStream list(String id) throws IOException {
    ValueStream found = pairs.open(LIST + id);
    if (found == null) throw broken(LIST + id, null);
    return found;
  }

  public void problems(String id, int page, List<StageProblem> problems) throws IOException {
    put(problemsKey(id, page), new StageNote.Problems(StageNote.VERSION, problems));
  }

  /** Problems of single files, in the order in which they were found. */
  public List<StageProblem> problems(String id) throws IOException {
    List<StageProblem> all = new ArrayList<>();
    for (int page = 0; ; page++) {
      StageNote.Problems some = read(problemsKey(id, page), StageNote.Problems.class);
      if (some == null) return all;
      all.addAll(some.problems());
    }
  }

  private static String problemsKey(String id, int page) {
    return String.format(Locale.ROOT, "%s%s/%06d", PROBLEMS, id, page);
  }

  /** A server starts over: file problems that an earlier server reported are obsolete. */
  public void forgetProblems(String id) throws IOException {
    for (int page = 0; pairs.delete(problemsKey(id, page)); page++) {}
  }

  /**
   * Records the end of a stage; no server works on it any more. One that has failed may be tried
   * again: it stays due, and keeps its list.
   */
  public void end(String id, StageNote.Progress last) throws IOException {
    progress(id, last);
    if (last.state() != StageStatus.State.FAILED) {
      giveUp(id);
      pairs.delete(LIST + id);
    }
    close(id);
  }

  /** The keys of a server's tasks for a stage, each {@code STAGE/NUMBER}. */
  public List<String> tasks(String id, String server) throws IOException {
    return ids(TASK + id + "/" + word(server) + "/").stream()
        .map(number -> id + "/" + number)
        .toList();
  }

  /** Gives a server a task. */
  public void task(String server, String key, StageNote.Task task) throws IOException {
    put(taskKey(server, key), task);
  }

  /** A task, or null if it was taken back. */
  public StageNote.@Nullable Task task(String server, String key) throws IOException {
    return read(taskKey(server, key), StageNote.Task.class);
  }

  /** Takes a task back, or removes it when it is done. */
  public void removeTask(String server, String key) throws IOException {
    pairs.delete(taskKey(server, key));
  }

  private static String taskKey(String server, String key) {
    int slash = key.indexOf('/');
    return TASK + key.substring(0, slash) + "/" + word(server) + key.substring(slash);
  }

  /** Takes all tasks of a stage back, from all servers. */
  public void removeTasks(String id) throws IOException {
    for (String key : ids(TASK + id + "/")) pairs.delete(TASK + id + "/" + key);
  }

  /** What a server last told of its tasks for a stage, or null. */
  public StageNote.@Nullable Report report(String id, String server) throws IOException {
    return read(REPORT + id + "/" + word(server), StageNote.Report.class);
  }

  public void report(String id, String server, StageNote.Report report) throws IOException {
    put(REPORT + id + "/" + word(server), report);
  }

  /** The server does no tasks of the stage. */
  public void removeReport(String id, String server) throws IOException {
    pairs.delete(REPORT + id + "/" + word(server));
  }

  private void removeReports(String id) throws IOException {
    for (String server : ids(REPORT + id + "/")) pairs.delete(REPORT + id + "/" + server);
  }

  /** Names of servers may contain slashes. */
  private static String word(String server) {
    return URLEncoder.encode(server, StandardCharsets.UTF_8);
  }

  /** The stage needs no more work, or, while it is due, none at present. */
  public void close(String id) throws IOException {
    pairs.delete(CANCEL + id);
    removeTasks(id);
    removeReports(id);
    // Last, since an ending instance takes no notes of a stage without a mark.
    pairs.delete(StageKeys.OPEN + id);
  }

  /** Forgets a stage that is over. */
  public void remove(String id) throws IOException {
    giveUp(id);
    close(id);
    pairs.delete(LIST + id);
    pairs.delete(JOB + id);
    forgetProblems(id);
    pairs.delete(PROGRESS + id);
  }

  /** The status of a stage, or null if there is none with that id. */
  public @Nullable StageStatus status(String id) throws IOException {
    StageNote.Job job = job(id);
    if (job == null) return null;
    // First: a stage that ends in between has its last progress before it loses its mark.
    boolean open = job.request().deferred() && isOpen(id);
    StageNote.Progress now = progress(id);
    // It is to begin, and no server has started it yet.
    boolean begins = open && now.state() == StageStatus.State.DEFERRED;
    return new StageStatus(
        id,
        job.request(),
        begins ? StageStatus.State.PENDING : now.state(),
        now.counted(),
        now.files(),
        now.bytes(),
        now.filesDone(),
        now.filesPresent(),
        now.bytesPresent(),
        now.bytesCopied(),
        now.filesFailed(),
        now.notes(),
        now.server(),
        now.others(),
        now.failure(),
        instant(job.createdNanos()),
        now.startedNanos() == 0 ? null : instant(now.startedNanos()),
        now.state().isOver() ? instant(now.endedNanos()) : null);
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  /** As times are written down. */
  public static long nanos(Instant time) {
    return time.getEpochSecond() * NANOS_PER_SECOND + time.getNano();
  }

  private void put(String key, Record note) throws IOException {
    FieldWriter out = new FieldWriter();
    FIELDS.write(note, out);
    pairs.put(key, out.written());
  }

  private <T extends Record> @Nullable T read(String key, Class<T> type) throws IOException {
    byte[] value = pairs.get(key);
    if (value == null) return null;
    try {
      ByteBuffer bytes = ByteBuffer.wrap(value);
      if (bytes.remaining() < Integer.BYTES || bytes.getInt(0) != StageNote.VERSION) {
        throw broken(key, null);
      }
      return FIELDS.read(type, new FieldReader(bytes));
    } catch (MalformedFields | IllegalArgumentException e) {
      throw broken(key, e);
    }
  }

  private static ForebayException broken(String key, @Nullable Throwable cause) {
    ForebayException broken =
        new ForebayException(
            ErrorCode.FAILED,
            "what is written down of a stage cannot be read; remove it with 'forebay del %s'"
                .formatted(key));
    if (cause != null) broken.initCause(cause);
    return broken;
  }
}
