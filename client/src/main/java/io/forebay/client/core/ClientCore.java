// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.proof.SessionSecret;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.Network;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one instance: names, files and pairs. If the client sends nothing for too long, its
 * session ends. Open handles then fail, and the next request begins a new session.
 */
public final class ClientCore {
  private static final Logger LOG = LoggerFactory.getLogger(ClientCore.class);

  private final ClientConfig config;
  private final RandomGenerator random;
  private final Router router;
  private long nextSecret;
  private @Nullable CompletableFuture<Attachment> attached;
  private @Nullable Attachment attachment;
  private boolean closed;

  /** A client that logs what slow operations wait for. */
  public ClientCore(ClientConfig config, Timers timers, Network network, RandomGenerator random) {
    this(config, new ClientEnvironment(timers, network, random, LOG::warn));
  }

  /** A client that has not started. */
  public ClientCore(ClientConfig config, ClientEnvironment environment) {
    this.config = config;
    this.random = environment.random();
    this.nextSecret = SessionSecret.draw(random);
    long sender = SessionSecret.sessionOf(nextSecret);
    this.router = new Router(config, environment, sender);
  }

  /** Fetches the map and attaches to the instance. */
  public CompletableFuture<Void> start() {
    return router.start().thenCompose(map -> attachment()).thenApply(done -> null);
  }

  /** The user of requests; known once it has started. */
  public Identity identity() {
    return router.identity();
  }

  public RingMap map() {
    return router.maps().map();
  }

  /** The instance this client is attached to, as the newest known map has it. */
  public CompletableFuture<Instance> instance() {
    return attachment()
        .thenApply(
            at -> {
              Instance begun = at.session().instance();
              Instance now = map().instance(begun.id());
              return now == null ? begun : now;
            });
  }

  /** Sends a question, which is built with the number of the tree's root directory. */
  public <M extends Message> CompletableFuture<M> ask(
      Identity who, LongFunction<Names.Question> atRoot, Class<M> expected) {
    return attachment()
        .thenCompose(at -> at.session().ask(who, atRoot.apply(at.session().root()), expected));
  }

  /** Sends a change; it is applied once, even if it is retried. */
  public <M extends Message> CompletableFuture<M> change(
      Identity who, LongFunction<Names.Change> atRoot, Class<M> expected) {
    return attachment()
        .thenCompose(at -> at.session().change(who, atRoot.apply(at.session().root()), expected));
  }

  /** Sends a change whose answer is a node, with the size that this client sees. */
  public CompletableFuture<Names.Attributes> changeNode(
      Identity who, LongFunction<Names.Change> atRoot) {
    return attachment()
        .thenCompose(
            at ->
                at.session()
                    .change(who, atRoot.apply(at.session().root()), Names.NodeIs.class)
                    .thenApply(node -> at.files().seen(node.attributes())));
  }

  /** The number of the tree's root directory. */
  public CompletableFuture<Long> root() {
    return attachment().thenApply(at -> at.session().root());
  }

  /** The attributes of a node, with the size that this client sees. */
  public CompletableFuture<Names.Attributes> lookUp(
      Identity who, LongFunction<Names.Lookup> atRoot) {
    return attachment()
        .thenCompose(
            at ->
                at.session()
                    .ask(who, atRoot.apply(at.session().root()), Names.NodeIs.class)
                    .thenApply(node -> at.files().seen(node.attributes())));
  }

  /**
   * The attributes of a node by its number. Publishes this client's writes to it first, because
   * publishing sets the modification time. If that fails, the next sync or close reports it.
   */
  public CompletableFuture<Names.Attributes> stat(Identity who, long node) {
    return sync(who, node)
        .exceptionallyCompose(
            failure ->
                RequestFailed.from(failure).code() == ErrorCode.UNAVAILABLE
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(null))
        .thenCompose(done -> lookUp(who, root -> new Names.Lookup(node, "", false)));
  }

  /** The same for a path from the root. */
  public CompletableFuture<Names.Attributes> lookUp(Identity who, String path, boolean follow) {
    return lookUp(who, root -> new Names.Lookup(root, path, follow));
  }

  /** Names of a directory in order, sizes as this client sees them. */
  public CompletableFuture<Names.Listing> list(
      Identity who, LongFunction<Names.ListDirectory> atRoot) {
    return attachment()
        .thenCompose(
            at ->
                at.session()
                    .ask(who, atRoot.apply(at.session().root()), Names.Listing.class)
                    .thenApply(listing -> seen(at, listing)));
  }

  /** The same for a path from the root. */
  public CompletableFuture<Names.Listing> list(Identity who, String path, String after, int max) {
    return list(who, root -> new Names.ListDirectory(root, path, after, max));
  }

  private static Names.Listing seen(Attachment at, Names.Listing told) {
    List<Names.NamedNode> entries =
        told.entries().stream()
            .map(node -> new Names.NamedNode(node.name(), at.files().seen(node.attributes())))
            .toList();
    return new Names.Listing(entries, told.more());
  }

  /** Opens a file in this client's tree. */
  public CompletableFuture<OpenFile> open(Identity who, LongFunction<Names.Open> atRoot) {
    return attachment().thenCompose(at -> at.files().open(who, atRoot.apply(at.session().root())));
  }

  /** Begins a new file that is to appear whole. */
  public CompletableFuture<FileUpload> beginFile(Identity who) {
    return attachment()
        .thenCompose(
            at -> at.numbers().take().thenApply(number -> new FileUpload(at, who, number)));
  }

  /** Opens a file that was open before, without another check of rights. */
  public CompletableFuture<OpenFile> openAgain(Identity who, long file) {
    return open(who, root -> new Names.Open(file, "", false, false, false, false, false, 0));
  }

  /** Asks a seat which of these records it cannot deliver; fails soon if it does not answer. */
  public CompletableFuture<Data.LackingAre> askHeld(SeatId seat, List<RecordId> records) {
    return attachment()
        .thenCompose(
            at ->
                router.askSeat(
                    seat,
                    new Data.AskHeld(at.session().instance().id(), records),
                    Data.LackingAre.class));
  }

  /** The same, but the seat verifies checksums first. */
  public CompletableFuture<Data.LackingAre> askSound(SeatId seat, List<RecordId> records) {
    return attachment()
        .thenCompose(
            at ->
                router.askSeat(
                    seat,
                    new Data.AskSound(at.session().instance().id(), records),
                    Data.LackingAre.class));
  }

  /**
   * The status of the seats that take records of the instance; seats that do not answer are left
   * out.
   */
  public CompletableFuture<List<Statuses.SeatStatus>> seatStatuses() {
    return attachment().thenCompose(at -> statusesOf(at.session().instance().seats()));
  }

  private CompletableFuture<List<Statuses.SeatStatus>> statusesOf(List<SeatId> seats) {
    List<Statuses.SeatStatus> answered = new ArrayList<>();
    List<CompletableFuture<Boolean>> asked = new ArrayList<>();
    for (SeatId seat : seats) {
      asked.add(
          router
              .askStatus(seat)
              .handle((status, failure) -> failure == null && answered.add(status)));
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(done -> answered);
  }

  /** Publishes everything this client has written. */
  public CompletableFuture<Void> syncAll(Identity who) {
    return attachment().thenCompose(at -> at.files().syncAll(who));
  }

  /** Publishes this client's writes to one file, if there are any. */
  public CompletableFuture<Void> sync(Identity who, long file) {
    return attachment().thenCompose(at -> at.files().sync(who, file));
  }

  /** Advisory locks in the session as it is now. */
  public CompletableFuture<SessionLocks> locks() {
    return attachment().thenApply(Attachment::locks);
  }

  public CompletableFuture<PairsCore> pairs() {
    return attachment().thenApply(PairsCore::new);
  }

  /** How long ago the last seat was heard from. */
  public long silentNanos() {
    return router.links().silentNanos();
  }

  /** Ends the session, without publishing anything, and closes all connections. */
  public CompletableFuture<Void> close() {
    if (closed) return CompletableFuture.completedFuture(null);
    closed = true;
    CompletableFuture<Void> ended =
        attachment == null ? CompletableFuture.completedFuture(null) : attachment.session().end();
    return ended
        .<Void>handle((done, failure) -> null)
        .whenComplete((done, failure) -> router.close());
  }

  /** The same without telling the servers, for when they do not answer. */
  public void abandon() {
    closed = true;
    router.close();
  }

  private CompletableFuture<Attachment> attachment() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new RequestFailed(ErrorCode.UNAVAILABLE, "the client is closed"));
    }
    boolean over =
        attached == null
            || attached.isCompletedExceptionally()
            || (attachment != null && attachment.session().hasEnded());
    if (!over && attached != null) return attached;
    attachment = null;
    CompletableFuture<Attachment> next = findInstance().thenCompose(this::begin);
    attached = next;
    return next;
  }

  private CompletableFuture<Attachment> begin(Instance instance) {
    long secret = nextSecret;
    nextSecret = SessionSecret.draw(random);
    return new TreeSession(router, instance, secret)
        .begin()
        .thenApply(
            session -> {
              Attachment now = new Attachment(router, session);
              attachment = now;
              return now;
            });
  }

  private CompletableFuture<Instance> findInstance() {
    RingMap map = router.maps().current();
    Instance found = map == null ? null : map.instance(config.instance());
    return found != null
        ? CompletableFuture.completedFuture(found)
        : CompletableFuture.failedFuture(unknown(map));
  }

  private RequestFailed unknown(@Nullable RingMap map) {
    String others =
        map == null
            ? ""
            : map.instances().stream().map(Instance::name).collect(Collectors.joining(", "));
    return new RequestFailed(
        ErrorCode.UNKNOWN_INSTANCE,
        "there is no instance '%s' (there %s); make it with 'forebay instance create %s'"
            .formatted(
                config.instance(),
                others.isEmpty() ? "is none at all" : "are: " + others,
                config.instance()));
  }
}
