// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.base.FileId;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.PairsCore;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.simulation.audit.Problem;
import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Ending;
import io.forebay.simulation.history.History;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Stamp;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Performs random operations with a client: writes, publishes, reads and truncates files that
 * others use too, puts, gets and deletes pairs. Everything goes into the history.
 */
public final class SimulatedUser implements LongWaits.Waiter {
  private static final int FILES = 3;
  private static final int KEYS = 4;

  /** The period of renames, where names matter. */
  private static final int RENAME_ONE_IN = 20;

  /** The period of puts of whole files, in seeds that have them. */
  private static final int PUT_ONE_IN = 8;

  private static final int FILE_BYTES_MAX = 64 * 1024;
  private static final int WRITE_BYTES_MAX = 3 * ClientNode.pieceBytes();

  /** Where stores are small, so that they fill up. */
  private static final int LONG_WRITE_BYTES_MAX = 10 * ClientNode.pieceBytes();

  private static final long SMALL_MEMORY_BYTES = 4L * 1024 * 1024;

  /** No death of others makes a living client fail with one of these. */
  private static final Set<ErrorCode> INEXPLICABLE =
      EnumSet.of(
          ErrorCode.STALE_HANDLE,
          ErrorCode.CORRUPT,
          ErrorCode.GONE,
          ErrorCode.SESSION_ENDED,
          ErrorCode.INVALID,
          ErrorCode.MALFORMED,
          ErrorCode.FAILED);

  /** The errors of a client whose session ended while it was idle. */
  private static final Set<ErrorCode> ENDED =
      EnumSet.of(ErrorCode.SESSION_ENDED, ErrorCode.GONE, ErrorCode.STALE_HANDLE);

  /** Counts values over all users, since every write needs unique bytes. */
  public static final class Values {
    private long last;

    long next() {
      return ++last;
    }
  }

  /**
   * Which user it is and how it works.
   *
   * @param thinkNanosMax how long it waits between two operations, at most
   */
  public record Habits(int number, int instance, long thinkNanosMax) {}

  /** The history that all users share. */
  public record Records(History history, Values values) {}

  private final World world;
  private final ClientNode node;
  private final int number;
  private final int instance;
  private final History history;
  private final Values values;
  private final SplittableRandom random;
  private final long thinkNanosMax;
  private final TreeMap<Integer, OpenFile> open = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private @Nullable PairsCore pairs;
  private boolean over;
  private boolean stopped;
  private boolean renames;
  private boolean punches;
  private @Nullable FilePutter putter;
  private final Set<ErrorCode> explained = EnumSet.noneOf(ErrorCode.class);
  private long busySinceNanos;
  private int done;
  private int failed;

  public SimulatedUser(
      World world, ClientNode node, Habits habits, Records records, SplittableRandom random) {
    this.world = world;
    this.node = node;
    this.number = habits.number;
    this.instance = habits.instance;
    this.history = records.history;
    this.values = records.values;
    this.thinkNanosMax = habits.thinkNanosMax;
    this.random = random;
  }

  /** Failures of that kind are expected in this cluster. */
  public void expect(ErrorCode code) {
    explained.add(code);
  }

  /** It also renames files, over the names of others too. */
  public void alsoRename() {
    renames = true;
  }

  /** It also puts whole files. */
  public void alsoPut(PutFiles files) {
    putter = new FilePutter(node, files, values, random.split());
  }

  /** It also punches holes in files. */
  public void alsoPunch() {
    punches = true;
  }

  public String host() {
    return node.host();
  }

  /** Operations that succeeded. */
  public int done() {
    return done;
  }

  /** Operations that failed. */
  public int failed() {
    return failed;
  }

  /** Whether the client is dead, or can do nothing more. */
  public boolean over() {
    return over;
  }

  @Override
  public String name() {
    return "user " + number;
  }

  /** Nothing while it is paused: its process may not do anything. */
  @Override
  public long waitedNanos() {
    return over || !node.isRunning() ? 0 : world.nanos() - busySinceNanos;
  }

  /** Problems that no failure of others explains. */
  public List<Problem> problems() {
    return problems;
  }

  public void start() {
    busySinceNanos = world.nanos();
    node.start();
    goesOn(
        node.core()
            .start()
            .thenCompose(started -> node.core().pairs())
            .whenComplete(
                (found, failure) -> {
                  pairs = found;
                  if (failure == null) next();
                  else kill();
                }));
  }

  /** The client dies; the results of its pending operations stay unknown. */
  public void kill() {
    over = true;
    node.kill();
    world.remove(node);
  }

  /** Pauses the client until it is resumed; false if it is paused already. */
  public boolean stop() {
    if (!node.isRunning()) return false;
    stopped = true;
    world.pause(node);
    return true;
  }

  public boolean isStopped() {
    return node.isPaused();
  }

  /** Its session may have ended during the pause, and its unpublished writes with it. */
  public void goOn() {
    if (over || !node.isPaused()) return;
    busySinceNanos = world.nanos();
    world.resume(node);
  }

  /** Reads everything there is, into the history; then no more is done. */
  public CompletableFuture<Void> readAll() {
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (int i = 0; i < FILES; i++) {
      int file = i;
      all =
          all.thenCompose(before -> open(file))
              .thenCompose(handle -> read(handle, 0, FILE_BYTES_MAX + LONG_WRITE_BYTES_MAX));
    }
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      all = all.thenCompose(before -> get(key));
    }
    FilePutter puts = putter;
    return puts == null ? all : all.thenCompose(before -> puts.readAll());
  }

  /** Attaches, but starts no operations. */
  public CompletableFuture<Void> attach() {
    over = true;
    node.start();
    return node.core()
        .start()
        .thenCompose(started -> node.core().pairs())
        .thenAccept(found -> pairs = found);
  }

  private void next() {
    if (over) return;
    busySinceNanos = world.nanos();
    node.timers().after(random.nextLong(thinkNanosMax), this::act);
  }

  private void act() {
    if (putter != null && random.nextInt(PUT_ONE_IN) == 0) {
      putFiles(putter);
      return;
    }
    if (renames && random.nextInt(RENAME_ONE_IN) == 0) {
      rename();
      return;
    }
    int file = random.nextInt(FILES);
    OpenFile handle = open.get(file);
    if (handle == null) {
      openFile(file);
      return;
    }
    int choice = random.nextInt(100);
    if (choice < 30) write(handle);
    else if (choice < 45) simple(new Action.Publish(idOf(handle)), handle.sync());
    else if (choice < 69) readSome(handle);
    else if (choice < 73 && punches && random.nextBoolean()) punch(handle);
    else if (choice < 73) truncate(handle);
    else if (choice < 77) closeFile(file, handle);
    else if (choice < 78) unlink(file);
    else if (choice < 88) putPair();
    else if (choice < 96) getPair();
    else if (choice < 97) leave();
    else deletePair();
  }

  private void putFiles(FilePutter with) {
    goesOn(
        with.act()
            .whenComplete(
                (put, failure) -> {
                  if (failure == null) done++;
                  else failed("putting files", failure);
                  next();
                }));
  }

  /** Ends its session explicitly; its unpublished writes are gone. */
  private void leave() {
    over = true;
    goesOn(node.core().close().whenComplete((ended, failure) -> kill()));
  }

  private FileId idOf(OpenFile file) {
    return new FileId(instance, file.number());
  }

  private CompletableFuture<OpenFile> open(int file) {
    return node.core()
        .open(
            Identity.root(),
            root -> new Names.Open(root, "file-" + file, true, true, true, false, false, 0644));
  }

  private void openFile(int file) {
    goesOn(
        open(file)
            .whenComplete(
                (handle, failure) -> {
                  if (failure == null) open.put(file, handle);
                  else failed("opening", failure);
                  next();
                }));
  }

  /** Users with the file open continue with it; a later open of the name creates another file. */
  private void unlink(int file) {
    goesOn(
        node.core()
            .change(
                Identity.root(), root -> new Names.Unlink(root, "file-" + file), Replies.Done.class)
            .whenComplete(
                (gone, failure) -> {
                  if (failure != null) failed("unlinking", failure);
                  next();
                }));
  }

  /** Users with one of the files open continue with it, under any name. */
  private void rename() {
    String from = "file-" + random.nextInt(FILES);
    String to = "file-" + random.nextInt(FILES);
    boolean exchange = random.nextInt(4) == 0;
    goesOn(
        node.core()
            .change(
                Identity.root(),
                root -> new Names.Rename(root, from, root, to, false, exchange),
                Replies.Done.class)
            .whenComplete(
                (renamed, failure) -> {
                  if (failure != null) failed("renaming", failure);
                  next();
                }));
  }

  /**
   * A rename can give a file that the user has open a name under which the user opens it again.
   * Only the close of the last handle drops what could not be published.
   */
  private void closeFile(int file, OpenFile handle) {
    open.remove(file);
    boolean last = open.values().stream().noneMatch(each -> areOfOneFile(each, handle));
    FileId id = idOf(handle);
    simple(last ? new Action.Close(id) : new Action.Publish(id), handle.close());
  }

  private static boolean areOfOneFile(OpenFile one, OpenFile other) {
    return one.number() == other.number() && one.session() == other.session();
  }

  private void write(OpenFile file) {
    long offset = aligned(random.nextInt(FILE_BYTES_MAX));
    int length = Math.max(Stamp.CELL_BYTES, (int) aligned(random.nextInt(writeBytesMax())));
    long value = values.next();
    ByteBuffer bytes = ByteBuffer.allocate(length);
    Stamp.fill(bytes, value, offset);
    simple(
        new Action.Write(idOf(file), offset, length, value, ClientNode.pieceBytes()),
        file.write(file.layout().cut(bytes, offset), offset, false).acknowledged());
  }

  private int writeBytesMax() {
    boolean small = world.options().store().memoryBytes() < SMALL_MEMORY_BYTES;
    return small ? LONG_WRITE_BYTES_MAX : WRITE_BYTES_MAX;
  }

  private void readSome(OpenFile file) {
    long offset = aligned(random.nextInt(FILE_BYTES_MAX));
    goesOn(
        read(
            file,
            offset,
            Math.max(Stamp.CELL_BYTES, (int) aligned(random.nextInt(FILE_BYTES_MAX / 2)))));
  }

  private CompletableFuture<Void> read(OpenFile file, long offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    return ended(
        new Action.Read(idOf(file), offset, length),
        file.read(offset, target),
        count -> {
          int seen = Math.max(0, count);
          return new Ending.Saw(Stamp.identify(target.slice(0, seen), offset));
        });
  }

  private void truncate(OpenFile file) {
    long size = aligned(random.nextInt(FILE_BYTES_MAX));
    simple(new Action.Truncate(idOf(file), size), file.truncate(size));
  }

  private void punch(OpenFile file) {
    long offset = aligned(random.nextInt(FILE_BYTES_MAX));
    long length = Math.max(Stamp.CELL_BYTES, aligned(random.nextInt(FILE_BYTES_MAX / 2)));
    simple(new Action.Punch(idOf(file), offset, length), file.punch(offset, length));
  }

  private void putPair() {
    String key = "key-" + random.nextInt(KEYS);
    int length = (int) aligned(random.nextInt(writeBytesMax()));
    long value = values.next();
    ByteBuffer bytes = ByteBuffer.allocate(length);
    Stamp.fill(bytes, value, 0);
    CompletableFuture<Void> put =
        pairsNow()
            .begin(Identity.root(), key)
            .thenCompose(
                upload -> {
                  // Only the client itself waits for acknowledgements.
                  goesOn(upload.write(upload.layout().cut(bytes, 0)).acknowledged());
                  return upload.finish();
                });
    simple(new Action.PutPair(key, value, length), put);
  }

  private void getPair() {
    goesOn(get("key-" + random.nextInt(KEYS)));
  }

  private CompletableFuture<Void> get(String key) {
    CompletableFuture<ByteBuffer> got = pairsNow().get(Identity.root(), key, ByteBuffer::allocate);
    return ended(
        new Action.GetPair(key), got, value -> new Ending.Saw(Stamp.identify(value.clear(), 0)));
  }

  private void deletePair() {
    String key = "key-" + random.nextInt(KEYS);
    simple(new Action.DeletePair(key), pairsNow().delete(Identity.root(), key));
  }

  private PairsCore pairsNow() {
    if (pairs == null) throw new IllegalStateException("not attached");
    return pairs;
  }

  private void simple(Action action, CompletableFuture<Void> future) {
    goesOn(ended(action, future, nothing -> new Ending.Done()));
  }

  /** Completes normally if the operation succeeded. */
  private <T> CompletableFuture<Void> ended(
      Action action, CompletableFuture<T> future, Function<T, Ending> endingOf) {
    Operation operation = history.begin(number, action, world.nanos());
    CompletableFuture<Void> well = new CompletableFuture<>();
    goesOn(
        future.whenComplete(
            (result, failure) -> {
              Ending ending =
                  failure == null ? endingOf.apply(result) : failedWith(action, failure);
              history.end(operation, ending, world.nanos());
              if (failure == null || ending instanceof Ending.NotThere) {
                done++;
                well.complete(null);
              } else {
                failed(action.toString(), failure);
                well.completeExceptionally(failure);
              }
              next();
            }));
    return well;
  }

  private void failed(String what, Throwable failure) {
    failed++;
    RequestFailed reason = RequestFailed.from(failure);
    world.trace().said(world.nanos(), node.host(), what + " failed: " + reason.getMessage());
    if (stopped && ENDED.contains(reason.code())) {
      kill();
    } else if (INEXPLICABLE.contains(reason.code()) && !explained.contains(reason.code())) {
      String sentence = "user " + number + ": " + what + " failed: " + reason.code() + " " + reason;
      problems.add(new Problem(ruleOf(reason.code()), sentence));
    }
  }

  private static String ruleOf(ErrorCode code) {
    return switch (code) {
      case SESSION_ENDED -> "P5";
      case INVALID, MALFORMED -> "I3";
      default -> "I1";
    };
  }

  private static Ending failedWith(Action action, Throwable failure) {
    ErrorCode code = RequestFailed.from(failure).code();
    boolean pair = action instanceof Action.GetPair || action instanceof Action.DeletePair;
    if (pair && code == ErrorCode.NOT_FOUND) return new Ending.NotThere();
    return new Ending.Unknown();
  }

  /** Its result is reported elsewhere. */
  private static void goesOn(CompletableFuture<?> unused) {}

  private static long aligned(int offset) {
    return (long) offset - offset % Stamp.CELL_BYTES;
  }
}
