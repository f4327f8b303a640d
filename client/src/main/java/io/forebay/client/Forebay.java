// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.GroupId;
import io.forebay.client.checkpoint.Checkpoint;
import io.forebay.client.checkpoint.CheckpointQuery;
import io.forebay.client.checkpoint.CheckpointSearch;
import io.forebay.client.checkpoint.LossSearch;
import io.forebay.client.checkpoint.LostRange;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.client.durability.DrainProgress;
import io.forebay.client.durability.DrainStarted;
import io.forebay.client.durability.Drains;
import io.forebay.client.durability.DurableWait;
import io.forebay.client.durability.Ledger;
import io.forebay.client.durability.NotDurableException;
import io.forebay.client.failure.Failures;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.NodePage;
import io.forebay.client.file.NodePath;
import io.forebay.client.file.OpenFlags;
import io.forebay.client.file.RingRoom;
import io.forebay.client.file.TreeWalk;
import io.forebay.client.file.Usage;
import io.forebay.client.host.Location;
import io.forebay.client.host.Locator;
import io.forebay.client.loop.BufferPool;
import io.forebay.client.loop.ClientLoop;
import io.forebay.client.loop.Pages;
import io.forebay.client.loop.RoomGate;
import io.forebay.client.loop.WriteTail;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.count.ClientProfile;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one instance of a cluster: its files and its key-value pairs. Paths are absolute,
 * with slashes. Any thread may use it, and one is enough for a process.
 *
 * <pre>{@code
 * try (Forebay buffer = Forebay.connect("forebay://127.0.0.1:7070/scratch");
 *     ForebayFile file = buffer.open("/checkpoint", WRITE, CREATE)) {
 *   file.write(bytes, 0);
 * }
 * }</pre>
 */
public final class Forebay implements AutoCloseable {
  /** Names fetched at a time. */
  private static final int PAGE = 1024;

  private static final int MODE_FILE = 0644;
  private static final int MODE_DIRECTORY = 0755;

  private final ForebayUri uri;
  private final ForebayOptions options;
  private final Identity who;
  private final ClientLoop loop;
  private final ClientCore core;
  private final BufferPool pool;
  private final RoomGate room;
  private final NameCalls names;
  private final WholeFiles wholeFiles;
  private final Pairs pairs;
  private final Drains drains;
  private final Locks locks;
  private final OpenHandles open;

  private volatile boolean closed;

  /** Whether this is a view of another connection, with a different identity. */
  private final boolean borrowed;

  /** Of a core that has started. */
  private Forebay(ForebayUri uri, ForebayOptions options, ClientLoop loop, ClientCore core)
      throws IOException {
    this.uri = uri;
    this.loop = loop;
    this.core = core;
    this.who = options.identity();
    this.options = options;
    this.borrowed = false;
    this.open = new OpenHandles(profile());
    this.pool = new BufferPool(options.writeWindowBytes(), options.pieceBytes());
    this.room = new RoomGate(loop);
    this.names = new NameCalls(loop, core, open, who);
    this.wholeFiles = new WholeFiles(loop, core, who);
    this.pairs = new Pairs(loop, core, who, options.writeWindowBytes());
    this.drains = new Drains(loop, core, who);
    this.locks = new Locks(loop, core, who);
  }

  private @Nullable ClientProfile profile() throws IOException {
    if (options.profiles().isEmpty()) return null;
    long stripeBytes = stripeBytes();
    ProfileFolder folder = new ProfileFolder(options.profiles().get());
    return new ClientProfile(uri.toString(), stripeBytes, who.user(), folder);
  }

  private Forebay(Forebay lender, Identity who) {
    this.uri = lender.uri;
    this.options = lender.options.withIdentity(who);
    this.who = who;
    this.borrowed = true;
    this.open = lender.open;
    this.loop = lender.loop;
    this.core = lender.core;
    this.pool = lender.pool;
    this.room = lender.room;
    this.names = new NameCalls(loop, core, open, who);
    this.wholeFiles = new WholeFiles(loop, core, who);
    this.pairs = new Pairs(loop, core, who, options.writeWindowBytes());
    this.drains = new Drains(loop, core, who);
    this.locks = lender.locks;
  }

  /** Connects to {@code forebay://host:port[,host:port]/instance} with the usual options. */
  public static Forebay connect(String uri) throws IOException {
    return connect(uri, ForebayOptions.defaults());
  }

  /**
   * Connects and attaches to the instance.
   *
   * @throws ForebayException if no manager can be reached in time, or there is no such instance
   */
  public static Forebay connect(String uri, ForebayOptions options) throws IOException {
    ForebayUri parsed = ForebayUri.parse(uri);
    if (parsed.instance().isEmpty()) {
      throw new IllegalArgumentException("'" + uri + "' names no instance; write " + uri + "/NAME");
    }
    ClientLoop loop =
        new ClientLoop(
            "forebay-" + parsed.instance(),
            options.tls().settings(parsed.managers()),
            options.tls().credentials());
    ClientCore core =
        new ClientCore(
            options.config(parsed.managers(), parsed.instance()),
            new ClientEnvironment(
                loop.timers(),
                loop.network(),
                new SecureRandom(),
                options.warnings(),
                loop.proof()));
    loop.start();
    try {
      Identity who = loop.call(null, () -> core.start().thenApply(started -> core.identity()));
      return new Forebay(parsed, options.withIdentity(who), loop, core);
    } catch (IOException e) {
      loop.stop();
      throw e;
    }
  }

  /** Advisory locks of files, which hold between all clients of the instance. */
  public Locks locks() {
    return locks;
  }

  /** How long ago the last server answered. Servers answer only while requests are pending. */
  public Duration silence() throws IOException {
    return Duration.ofNanos(
        loop.call(null, () -> CompletableFuture.completedFuture(core.silentNanos())));
  }

  /**
   * The same connection with another identity, for programs that serve several users. Closing it
   * does nothing; it ends with this one.
   */
  public Forebay as(Identity somebody) {
    return new Forebay(this, somebody);
  }

  public ForebayUri uri() {
    return uri;
  }

  public ForebayOptions options() {
    return options;
  }

  /** The instance this client is attached to. */
  public Instance instance() throws IOException {
    return loop.call(null, core::instance);
  }

  /** The unit in which the instance spreads files over servers. */
  public long stripeBytes() throws IOException {
    return instance().placement().stripeBytes();
  }

  // Files.

  /** Opens a file, by the rules of {@link java.nio.file.Files#newByteChannel}. */
  public ForebayFile open(String path, OpenOption... options) throws IOException {
    return open(path, List.of(options), MODE_FILE);
  }

  /** Opens a file; a new file gets the mode. */
  public ForebayFile open(String path, Collection<? extends OpenOption> options, int mode)
      throws IOException {
    return open(NodePath.of(path), OpenFlags.of(options), mode);
  }

  ForebayFile open(NodePath at, OpenFlags flags, int mode) throws IOException {
    // What was written before counts as part of the file, or is truncated with it.
    open.flushAll();
    OpenFile opened =
        loop.call(
            at.shown(),
            () -> core.open(who, root -> flags.request(at.from(root), at.path(), mode)));
    WriteTail tail = new WriteTail(loop, opened, at.shown(), writing());
    ForebayFile file = new ForebayFile(this, opened, tail, at, flags);
    open.add(file);
    return file;
  }

  /**
   * Makes a file with all its bytes, the remaining ones of a buffer, where no name is. Other
   * clients see all of it or nothing. For files that fit into memory: it is faster than to open,
   * write and close one.
   *
   * @param modified its time of modification; null for now
   * @throws java.nio.file.FileAlreadyExistsException if something has that name
   */
  public void put(String path, ByteBuffer content, int mode, @Nullable Instant modified)
      throws IOException {
    NodePath at = NodePath.of(path);
    loop.await(wholeFiles.put(at, content, mode, modified), at.shown());
  }

  /** The same without waiting; the buffer must not change until the future is complete. */
  public CompletableFuture<Void> putAsync(
      String path, ByteBuffer content, int mode, @Nullable Instant modified) {
    return wholeFiles.put(NodePath.of(path), content, mode, modified);
  }

  /** The same file in the current session; the given handle if its writes were lost. */
  OpenFile openAgain(OpenFile old, boolean written, String path) throws IOException {
    return loop.call(
        path,
        () ->
            !written || old.isClean()
                ? core.openAgain(who, old.number())
                : CompletableFuture.completedFuture(old));
  }

  /** Publishes everything this client has written. */
  public void syncAll() throws IOException {
    names.syncAll();
  }

  // Names.

  /** The same names and files by the numbers of their nodes. */
  public Nodes nodes() {
    return new Nodes(this, names);
  }

  /** The node at a path; a symbolic link at its end is followed. */
  public FileStat stat(String path) throws IOException {
    return stat(path, true);
  }

  public FileStat stat(String path, boolean follow) throws IOException {
    return names.stat(NodePath.of(path), follow);
  }

  /** The names in a directory, in order, fetched page by page. */
  public Iterator<DirectoryEntry> list(String path) throws IOException {
    NodePath at = NodePath.of(path);
    return new Pages<>(last -> page(at, last == null ? "" : last.name()));
  }

  private Pages.Page<DirectoryEntry> page(NodePath at, String after) throws IOException {
    NodePage page = names.list(at, after, PAGE);
    return new Pages.Page<>(page.entries(), page.more());
  }

  public void mkdir(String path) throws IOException {
    mkdir(path, MODE_DIRECTORY);
  }

  public void mkdir(String path, int mode) throws IOException {
    names.mkdir(NodePath.of(path), mode);
  }

  /** Makes a symbolic link; the target need not exist. */
  public void symlink(String target, String path) throws IOException {
    names.symlink(target, NodePath.of(path));
  }

  public String readlink(String path) throws IOException {
    return names.readlink(NodePath.of(path));
  }

  /** Gives a file another name. */
  public void link(String existing, String path) throws IOException {
    names.link(NodePath.of(existing), NodePath.of(path));
  }

  /** Removes a name. The file is deleted once no client has it open. */
  public void unlink(String path) throws IOException {
    names.unlink(NodePath.of(path));
  }

  public void rmdir(String path) throws IOException {
    names.rmdir(NodePath.of(path));
  }

  /** Renames a node and replaces any node at the new path, in one step. */
  public void rename(String from, String to) throws IOException {
    rename(from, to, false, false);
  }

  /**
   * Renames.
   *
   * @param noReplace fails if something is at the new path
   * @param exchange both must exist and change places
   */
  public void rename(String from, String to, boolean noReplace, boolean exchange)
      throws IOException {
    names.rename(NodePath.of(from), NodePath.of(to), noReplace, exchange);
  }

  public FileStat chmod(String path, int mode) throws IOException {
    return set(path, new AttributeChange().mode(mode));
  }

  public FileStat chown(String path, int user, int group) throws IOException {
    return set(path, new AttributeChange().owner(user, group));
  }

  /** Sets the times of last access and modification; null leaves one as it is. */
  public FileStat utimes(String path, @Nullable Instant access, @Nullable Instant modify)
      throws IOException {
    return set(path, new AttributeChange().times(access, modify));
  }

  /** Sets a file's size. */
  public FileStat truncate(String path, long sizeBytes) throws IOException {
    return set(path, new AttributeChange().sizeBytes(sizeBytes));
  }

  /**
   * Changes several attributes in one step. What this client has written is published first if the
   * size or a time is among them.
   */
  public FileStat set(String path, AttributeChange what) throws IOException {
    return names.set(NodePath.of(path), what);
  }

  // Extra attributes.

  public byte[] getExtra(String path, String name) throws IOException {
    return names.getExtra(NodePath.of(path), name);
  }

  public void setExtra(String path, String name, byte[] value) throws IOException {
    names.setExtra(NodePath.of(path), name, value, false, false);
  }

  public void removeExtra(String path, String name) throws IOException {
    names.removeExtra(NodePath.of(path), name);
  }

  public List<String> listExtras(String path) throws IOException {
    return names.listExtras(NodePath.of(path));
  }

  // The instance.

  public Usage usage() throws IOException {
    return names.usage();
  }

  /** The room of the ring, for an instance without a capacity. */
  public RingRoom ringRoom() throws IOException {
    return names.ringRoom();
  }

  /**
   * The hosts that have the published bytes of a range, for programs that compute near their data.
   */
  public List<Location> locate(String path, long offset, long lengthBytes) throws IOException {
    return locate(stat(path).number(), path, offset, lengthBytes);
  }

  List<Location> locate(long number, String path, long offset, long lengthBytes)
      throws IOException {
    return new Locator(loop, core, who).locate(number, path, offset, lengthBytes);
  }

  /**
   * Searches all files and pairs for published bytes that no seat can deliver. It asks about every
   * record, so it is slow with many records.
   */
  public void findLost(Consumer<LostRange> lost) throws IOException {
    LossSearch search = new LossSearch(loop, core, who, false, lost);
    TreeWalk.files(new ClientTree(this), "/", (path, stat) -> search.file(path, stat.number()));
    for (Iterator<Pairs.Entry> each = pairs.list(""); each.hasNext(); ) {
      search.pair(each.next().key());
    }
    search.finish();
  }

  /**
   * The groups whose names and contents may be older than what was acknowledged: all their servers
   * lost their memory at once, and the instance is not forced.
   */
  public List<GroupId> restoredGroups() throws IOException {
    Instance instance = loop.call(null, core::instance);
    RingMap map = loop.call(null, () -> CompletableFuture.completedFuture(core.map()));
    boolean spread = options.tree().isOfNode(instance);
    return map.groups().stream()
        .filter(group -> spread || group.id().equals(instance.rootGroup()))
        .filter(group -> group.mayLack(instance))
        .map(Group::id)
        .toList();
  }

  // Checkpoints.

  /** The checkpoints in a directory, and which of them are complete as servers know it. */
  public List<Checkpoint> checkpoints(String path) throws IOException {
    return checkpoints(CheckpointQuery.in(path).withCheck(CheckpointQuery.Check.HELD));
  }

  public List<Checkpoint> checkpoints(CheckpointQuery query) throws IOException {
    return new CheckpointSearch(new ClientTree(this), loop, core, who, query).all();
  }

  /**
   * The newest checkpoint in a directory that all its writers have closed and whose bytes all match
   * their checksums; if the newest one does not qualify, the one before it.
   */
  public Optional<Checkpoint> latestComplete(String path) throws IOException {
    return latestComplete(CheckpointQuery.in(path));
  }

  public Optional<Checkpoint> latestComplete(CheckpointQuery query) throws IOException {
    return new CheckpointSearch(new ClientTree(this), loop, core, who, query).latest();
  }

  // The backing store.

  /**
   * Asks that a file, or all files below a directory, be drained as they are now. Does not wait.
   */
  public DrainStarted drain(String path) throws IOException {
    drains.requireStore();
    return drains.start(path, NodePath.of(path).path());
  }

  /**
   * Waits until the backing store has a file, or all files below a directory, in the version
   * published now. Does not request a drain: see {@link #drain}.
   *
   * @throws NotDurableException if the timeout passes first; the exception tells the progress and
   *     the reason
   */
  public void awaitDurable(String path, Duration timeout) throws IOException {
    awaitDurable(List.of(path), timeout, progress -> {});
  }

  /**
   * The same for several at once.
   *
   * @param progress gets the progress about once a second
   */
  public void awaitDurable(
      Collection<String> paths, Duration timeout, Consumer<DrainProgress> progress)
      throws IOException {
    waitFor(paths).await(timeout, null, progress);
  }

  /** Asks that files be drained as they are now, and waits until they are. */
  public void drainAndAwait(
      Collection<String> paths, Duration timeout, Consumer<DrainProgress> progress)
      throws IOException {
    // Bytes written between the two calls are drained too, but not waited for.
    DurableWait wait = waitFor(paths);
    DurableWait.Request request =
        () -> {
          for (String path : paths) drain(path);
        };
    request.ask();
    wait.await(timeout, request, progress);
  }

  private DurableWait waitFor(Collection<String> paths) throws IOException {
    drains.requireStore();
    DurableWait wait = new DurableWait(new ClientTree(this), drains);
    for (String path : paths) wait.add(path);
    return wait;
  }

  /**
   * Looks at the backing store again after other programs may have changed it: at a file, or at a
   * directory with everything below it. Data that only the buffer has stays.
   */
  public void refresh(String path) throws IOException {
    drains.requireStore();
    NodePath at = NodePath.of(path);
    names.refresh(at);
    try {
      // Servers look at the store when a client asks for names. Asking now shows whether they can.
      if (stat(path).isDirectory()) names.list(at, "", PAGE);
    } catch (NoSuchFileException gone) {
      // That is the answer.
      return;
    }
  }

  /** The drain state of each file. */
  public Ledger ledger() throws IOException {
    drains.requireStore();
    return drains.all();
  }

  /** The instance's key-value pairs. */
  public Pairs pairs() {
    return pairs;
  }

  /**
   * Publishes and closes all files that are open, ends the session and all connections. Failures
   * are thrown when everything is closed.
   */
  @Override
  public void close() throws IOException {
    if (borrowed || closed) return;
    closed = true;
    IOException failure = open.closeAll();
    // If the servers did not answer when files were closed, they will not answer the end of the
    // session either.
    boolean gone = failure != null && Failures.codeOf(failure) == ErrorCode.UNAVAILABLE;
    try {
      if (gone) loop.execute(core::abandon);
      else loop.call(null, core::close);
      open.keepProfile(options.warnings());
    } finally {
      loop.stop();
    }
    if (failure != null) throw failure;
  }

  ClientLoop loop() {
    return loop;
  }

  NameCalls names() {
    return names;
  }

  RoomGate room() {
    return room;
  }

  OpenHandles handles() {
    return open;
  }

  BufferPool pool() {
    return pool;
  }

  private WriteTail.Ground writing() {
    return new WriteTail.Ground(pool, room, open.gathering(), options.timeout().toNanos());
  }
}
