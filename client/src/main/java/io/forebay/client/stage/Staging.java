// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.core.route.TreeChoice;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.host.HostName;
import io.forebay.client.use.StagedBytes;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stages files in and out of an instance. The servers carry out a stage in the background. With its
 * id, every user of the instance's pairs can see its progress.
 *
 * <pre>{@code
 * try (Staging staging = Staging.of(buffer)) {
 *   String id = staging.start(StageRequest.in("/lustre/input", "/input"));
 *   StageStatus end = staging.await(id, Duration.ofHours(1), status -> {});
 * }
 * }</pre>
 */
public final class Staging implements AutoCloseable {
  private static final String ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
  private static final int ID_CHARS = 8;

  /** Between two looks at a stage. */
  private static final long PAUSE_NANOS_MIN = 20_000_000L;

  private static final long PAUSE_NANOS_MAX = 1_000_000_000L;

  /** A stage is seen to be over at most this part of its duration late, in percent. */
  private static final int LATE_PERCENT_MAX = 2;

  /** Whose private tree its new stages are for; empty for the tree of all nodes. */
  private final String node;

  private final Instance instance;

  /** One of its own if the client uses a private tree, else mostly the client's. */
  private final Forebay connection;

  private final boolean ownsConnection;

  private final StageBoard board;
  private final SecureRandom random = new SecureRandom();

  private Staging(String node, Instance instance, Forebay connection, boolean owns) {
    this.node = node;
    this.instance = instance;
    this.connection = connection;
    this.ownsConnection = owns;
    this.board = new StageBoard(connection);
  }

  /**
   * Stages of a client's instance; ends before the client does. A client that is connected by
   * {@link StageBoard#options} has no tree of its node: its stages are for the tree of all nodes
   * or, by {@link #ofNode}, for those of other nodes.
   */
  public static Staging of(Forebay client) throws IOException {
    Instance instance = client.instance();
    TreeChoice tree = client.options().tree();
    boolean own = tree.kind() != TreeChoice.Kind.STAGES && tree.isOfNode(instance);
    Forebay connection =
        own
            ? Forebay.connect(client.uri().toString(), StageBoard.options(client.options()))
            : client;
    return new Staging(own ? client.options().treeNode() : "", instance, connection, own);
  }

  /** For commands that look at stages, and start none: they need no tree of this node. */
  public static Staging connect(String uri, Instance instance, ForebayOptions options)
      throws IOException {
    Forebay connection = Forebay.connect(uri, StageBoard.options(options));
    return new Staging("", instance, connection, true);
  }

  /**
   * The same, but its new stages are for the private tree of a node. It uses the connection of this
   * one, and ends before it.
   *
   * @throws ForebayException if the instance has no private trees
   * @throws IllegalArgumentException if no node can have that name
   */
  public Staging ofNode(String name) throws IOException {
    HostName.requireNode(name);
    if (instance.hasPrivateTrees()) return new Staging(name, instance, connection, false);
    throw new ForebayException(
        ErrorCode.INVALID,
        "instance '%s' has shared access, so node '%s' has no tree of its own to stage into; create"
                .formatted(instance.name(), name)
            + " an instance with '--access both'");
  }

  /** The instance as it was when this was connected. */
  public Instance instance() {
    return instance;
  }

  /** Asks for a file or directory to be staged; gives the stage's id, and does not wait. */
  public String start(StageRequest request) throws IOException {
    String id = newId();
    startAs(id, request);
    return id;
  }

  /** The same under an id of the caller's. A stage of that id that exists stays as it is. */
  public void startAs(String id, StageRequest request) throws IOException {
    if (request.isList()) throw new IllegalArgumentException("no source and no destination");
    add(id, request, null);
  }

  /**
   * The same for all in a list, by a {@link StageRequest#list}. It is read here, not at the
   * servers; see {@link StageList}.
   *
   * @throws IllegalArgumentException if a line of it makes no sense
   */
  public String startList(StageRequest request, Path list) throws IOException {
    String id = newId();
    startListAs(id, request, list);
    return id;
  }

  /** The same under an id of the caller's. A stage of that id that exists stays as it is. */
  public void startListAs(String id, StageRequest request, Path list) throws IOException {
    if (!request.isList()) throw new IllegalArgumentException("a source besides the list");
    try (BufferedReader lines = Files.newBufferedReader(list)) {
      StageList entries = new StageList(lines);
      if (entries.next() == null) throw new IllegalArgumentException("the list is empty");
      while (entries.next() != null) {}
    }
    try (InputStream bytes = Files.newInputStream(list)) {
      add(id, request, bytes);
    }
  }

  /** The same for entries that are given. */
  public String startEntries(StageRequest request, List<StageList.Entry> entries)
      throws IOException {
    if (!request.isList()) throw new IllegalArgumentException("a source besides the list");
    if (entries.isEmpty()) throw new IllegalArgumentException("the list is empty");
    StringBuilder lines = new StringBuilder();
    for (StageList.Entry entry : entries) lines.append(StageList.line(entry)).append('\n');
    String id = newId();
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    add(id, request, new ByteArrayInputStream(bytes));
    return id;
  }

  private void add(String id, StageRequest request, @Nullable InputStream list) throws IOException {
    if (node.isEmpty() && !instance.hasSharedTree() && !request.onlyLooks()) {
      throw new ForebayException(
          ErrorCode.INVALID,
          "each tree of instance '%s' belongs to a node, and the stage names none; stage from the node"
              .formatted(instance.name()));
    }
    StageNote.Job job =
        new StageNote.Job(
            StageNote.VERSION,
            request,
            node,
            connection.options().identity().groups(),
            StageBoard.nanos(Instant.now()));
    try {
      if (!board.isAdded(id)) board.add(id, job, list);
    } catch (AccessDeniedException e) {
      ForebayException denied =
          new ForebayException(
              ErrorCode.ACCESS_DENIED,
              "only the owner of instance '%s', user %d, may stage its files"
                  .formatted(instance.name(), instance.owner()));
      denied.initCause(e);
      throw denied;
    }
  }

  private String newId() {
    StringBuilder id = new StringBuilder();
    while (id.length() < ID_CHARS) {
      id.append(ID_LETTERS.charAt(random.nextInt(ID_LETTERS.length())));
    }
    return id.toString();
  }

  /** All recorded stages, oldest first: the active ones, and the last that ended. */
  public List<StageStatus> all() throws IOException {
    List<StageStatus> all = new ArrayList<>();
    for (String id : board.all()) {
      StageStatus status = board.status(id);
      if (status != null) all.add(status);
    }
    all.sort(Comparator.comparing(StageStatus::created).thenComparing(StageStatus::id));
    return all;
  }

  /**
   * How far a stage is.
   *
   * @throws ForebayException if there is none of that id
   */
  public StageStatus status(String id) throws IOException {
    StageStatus status = board.status(id);
    if (status != null) return status;
    throw new ForebayException(
        ErrorCode.NOT_FOUND,
        "instance '%s' knows no stage '%s'; 'forebay stage query' shows which there are"
            .formatted(instance.name(), id));
  }

  /** The same, or null if there is none of that id. */
  public @Nullable StageStatus find(String id) throws IOException {
    return board.status(id);
  }

  /** The bytes of all recorded stages. */
  public StagedBytes stagedBytes() throws IOException {
    long in = 0;
    long out = 0;
    for (StageStatus stage : all()) {
      if (stage.request().direction() == StageRequest.Direction.IN) in += stage.bytesCopied();
      else out += stage.bytesCopied();
    }
    return new StagedBytes(in, out);
  }

  /** Which stages the paths of this client's tree belong to. */
  public StagedPaths paths() {
    return new StagedPaths(connection.pairs(), node);
  }

  /** Failures and notes of single files, failures first. */
  public List<StageProblem> problems(String id) throws IOException {
    List<StageProblem> problems = board.problems(id);
    problems.sort(Comparator.comparing(problem -> !problem.failed()));
    return problems;
  }

  /**
   * Waits until a stage has ended, and returns its status; after the timeout, its status so far. It
   * does not wait for a deferred stage.
   *
   * @param progress gets the status at intervals
   */
  public StageStatus await(String id, Duration timeout, Consumer<StageStatus> progress)
      throws IOException {
    return await(
        id,
        timeout,
        progress,
        status -> status.state().isOver() || status.state() == StageStatus.State.DEFERRED);
  }

  /** Waits until a server has found something to stage, or it is over, or deferred. */
  public StageStatus awaitBegun(String id, Duration timeout) throws IOException {
    return await(
        id,
        timeout,
        status -> {},
        status -> {
          boolean coming = status.state() == StageStatus.State.PENDING;
          boolean looking = status.state() == StageStatus.State.RUNNING && status.files() == 0;
          return !coming && !looking;
        });
  }

  private StageStatus await(
      String id, Duration timeout, Consumer<StageStatus> progress, Predicate<StageStatus> wanted)
      throws IOException {
    long startNanos = System.nanoTime();
    while (true) {
      StageStatus status = status(id);
      progress.accept(status);
      Duration spent = Duration.ofNanos(System.nanoTime() - startNanos);
      if (wanted.test(status) || spent.compareTo(timeout) >= 0) return status;
      try {
        TimeUnit.NANOSECONDS.sleep(
            Math.max(
                PAUSE_NANOS_MIN,
                Math.min(PAUSE_NANOS_MAX, spent.toNanos() / 100 * LATE_PERCENT_MAX)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for stage " + id, e);
      }
    }
  }

  /**
   * Cancels a stage: nothing more is copied, copied files stay; a deferred stage never begins.
   * Returns at once; {@link #await} waits for it. A stage that has ended stays as it is; the end of
   * the instance does not wait for it any more if it failed.
   */
  public void cancel(String id) throws IOException {
    if (status(id).state().isOver()) board.giveUp(id);
    else board.cancel(id);
  }

  /** Begins a stage that is deferred; any other stays as it is. */
  public void runDeferred(String id) throws IOException {
    if (status(id).state() == StageStatus.State.DEFERRED) board.begin(id);
  }

  /** Begins all stages that are deferred; gives their ids. */
  public List<String> runDeferred() throws IOException {
    List<String> begun = new ArrayList<>();
    for (StageStatus status : all()) {
      if (status.state() != StageStatus.State.DEFERRED) continue;
      board.begin(status.id());
      begun.add(status.id());
    }
    return begun;
  }

  /** Begins a stage again if it has failed; any other stays as it is. */
  public void retry(String id) throws IOException {
    if (status(id).state() == StageStatus.State.FAILED) board.retry(id);
  }

  /** The stages that the end of the instance waits for and that have failed. */
  public List<StageStatus> failedAtEnd() throws IOException {
    List<StageStatus> failed = new ArrayList<>();
    for (String id : board.due()) {
      StageStatus status = board.status(id);
      if (status != null && status.state() == StageStatus.State.FAILED) failed.add(status);
    }
    failed.sort(Comparator.comparing(StageStatus::created).thenComparing(StageStatus::id));
    return failed;
  }

  /** Begins those again at once; servers do it by themselves after a while. */
  public void retryFailed() throws IOException {
    for (StageStatus failed : failedAtEnd()) board.retry(failed.id());
  }

  /** Stages go on without it. */
  @Override
  public void close() throws IOException {
    if (ownsConnection) connection.close();
  }
}
