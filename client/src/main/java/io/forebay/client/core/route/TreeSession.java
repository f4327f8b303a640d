// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.base.proof.SessionSecret;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.ring.access.TreeNames;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * This client's session at one tree: begun once, kept alive, ended once. It numbers the changes, so
 * that a retried change is not applied twice.
 */
public final class TreeSession {
  /** How many keep-alives a client sends within its expiry time. */
  private static final int KEEP_ALIVES_PER_EXPIRY = 3;

  /**
   * Changes from the oldest unanswered one on. The home remembers its answers to all of them, and
   * refuses to remember very many.
   */
  static final int CHANGES_MAX = 1024;

  /** Changes that wait for their turn; more are refused. */
  static final int WAITING_MAX = 1024 * 1024;

  /**
   * An answer to a change.
   *
   * @param op the number of the change
   */
  public record Numbered<M extends Message>(long op, M answer) {}

  private enum State {
    BEGINNING,
    OPEN,
    ENDED
  }

  private final Router router;
  private final Instance instance;
  private final long secret;
  private final long id;
  private final TreeSet<Long> unanswered = new TreeSet<>();
  private final TreeSet<Long> unansweredOpens = new TreeSet<>();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private final List<Runnable> whenOver = new ArrayList<>();
  private State state = State.BEGINNING;
  private int tree;
  private GroupId group;
  private long clientNumber;
  private long nextOp = 1;
  private long nextPiece = 1;

  /** Pieces that are neither published nor abandoned. */
  private final TreeSet<Long> unsettled = new TreeSet<>();

  private LongPredicate openTold = epoch -> false;

  /** When the home last answered a change. */
  private long answeredNanos;

  private Timers.@Nullable Timer keepAlive;

  /**
   * Makes a session that has not begun.
   *
   * @param secret random, never used before
   */
  public TreeSession(Router router, Instance instance, long secret) {
    this.router = router;
    this.instance = instance;
    this.secret = secret;
    this.id = SessionSecret.sessionOf(secret);
    this.group = instance.rootGroup();
    this.answeredNanos = router.timers().nanos();
  }

  /** Begins it at the tree that the client has chosen; tree 0 knows where the others are. */
  public CompletableFuture<TreeSession> begin() {
    try {
      ClientConfig config = router.config();
      return beginHere(config.tree().nameFor(instance, config.node()), false);
    } catch (RequestFailed e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<TreeSession> beginHere(String name, boolean sentOn) {
    Names.BeginSession begin = new Names.BeginSession(name, router.config().times().sessionNanos());
    return change(router.identity(), begin, Names.SessionIs.class)
        .thenCompose(
            is -> {
              boolean here = is.tree() == tree && is.group().equals(group);
              if (!here && sentOn) {
                throw new IllegalStateException(group + " sends a session on to " + is.group());
              }
              tree = is.tree();
              group = is.group();
              clientNumber = is.number();
              if (!here) {
                String node = TreeNames.nodeOf(instance, name);
                return beginHere(node == null ? name : node, true);
              }
              if (state == State.BEGINNING) {
                state = State.OPEN;
                keepAliveLater();
              }
              return CompletableFuture.completedFuture(this);
            });
  }

  public long id() {
    return id;
  }

  /** The proof to seats that this is the client of the session. */
  public long secret() {
    return secret;
  }

  public Instance instance() {
    return instance;
  }

  /** Counts the clients of the tree, so that placements can spread them. */
  public long clientNumber() {
    return clientNumber;
  }

  public GroupId group() {
    return group;
  }

  /** Which tree of the instance; 0 where all share one. */
  public int tree() {
    return tree;
  }

  /** The number of the tree's root directory. */
  public long root() {
    return Names.inTree(tree, Names.ROOT);
  }

  /** Whether it has ended: unpublished writes are lost. */
  public boolean hasEnded() {
    return state == State.ENDED;
  }

  /** A number for a piece that is written now: later pieces have higher numbers (P4). */
  @Rule("P4")
  public long takePieceNumber() {
    unsettled.add(nextPiece);
    return nextPiece++;
  }

  /** The piece is published, or never will be: seats may delete it unless a file refers to it. */
  public void settle(long piece) {
    unsettled.remove(piece);
  }

  /** Whether a piece that was written is neither published nor given up. */
  public boolean hasUnsettledPieces() {
    return !unsettled.isEmpty();
  }

  private long settledBelow() {
    return unsettled.isEmpty() ? nextPiece : unsettled.first();
  }

  /** Sets the predicate that knows whether the home of an epoch knows every open file. */
  public void whetherOpenTold(LongPredicate told) {
    openTold = told;
  }

  /** Asks something that changes nothing. */
  public <M extends Message> CompletableFuture<M> ask(
      Identity who, Names.Question question, Class<M> expected) {
    return watch(
        router.askHome(group, instance.id(), epoch -> request(epoch, 0, who, question), expected));
  }

  /** Sends a change; it is applied once, even if it is retried. */
  public <M extends Message> CompletableFuture<M> change(
      Identity who, Names.Change change, Class<M> expected) {
    return change(who, change, expected, router.timers().nanos());
  }

  /**
   * The same for a change that has waited for its turn since then. That time counts, as far as the
   * home has answered no other change meanwhile: otherwise each change in a queue would begin to
   * wait for a dead home only when the one before it has given up.
   */
  public <M extends Message> CompletableFuture<M> change(
      Identity who, Names.Change change, Class<M> expected, long sinceNanos) {
    return numbered(who, change, expected, sinceNanos).thenApply(Numbered::answer);
  }

  /** Opens a file, with the number by which a release can name that open. */
  public CompletableFuture<Numbered<Names.NodeIs>> open(Identity who, Names.Open open) {
    return numbered(who, open, Names.NodeIs.class, router.timers().nanos());
  }

  /** The highest number below which every open has been answered. */
  public long opensAnsweredBelow() {
    return unansweredOpens.isEmpty() ? nextOp : unansweredOpens.first();
  }

  private <M extends Message> CompletableFuture<Numbered<M>> numbered(
      Identity who, Names.Change change, Class<M> expected, long sinceNanos) {
    if (waiting.size() >= WAITING_MAX) {
      return CompletableFuture.failedFuture(
          new RequestFailed(ErrorCode.BUSY, "more than " + WAITING_MAX + " changes wait"));
    }
    CompletableFuture<Numbered<M>> answer = new CompletableFuture<>();
    waiting.add(() -> send(who, change, expected, sinceNanos, answer));
    startWaiting();
    return watch(answer);
  }

  private void startWaiting() {
    while (!waiting.isEmpty() && nextOp - doneBelow() < CHANGES_MAX) waiting.remove().run();
  }

  private <M extends Message> void send(
      Identity who,
      Names.Change change,
      Class<M> expected,
      long sinceNanos,
      CompletableFuture<Numbered<M>> answer) {
    long op = nextOp++;
    unanswered.add(op);
    if (change instanceof Names.Open) unansweredOpens.add(op);
    Futures.then(
        router.askHome(
            group,
            instance.id(),
            epoch -> request(epoch, op, who, change),
            expected,
            answeredNanos - sinceNanos > 0 ? answeredNanos : sinceNanos),
        value -> {
          answeredNanos = router.timers().nanos();
          ended(op);
          answer.complete(new Numbered<>(op, value));
        },
        failure -> {
          if (failure.code() != ErrorCode.UNAVAILABLE) answeredNanos = router.timers().nanos();
          ended(op);
          answer.completeExceptionally(failure);
        });
  }

  private void ended(long op) {
    unanswered.remove(op);
    unansweredOpens.remove(op);
    startWaiting();
  }

  private long doneBelow() {
    return unanswered.isEmpty() ? nextOp : unanswered.first();
  }

  /** Ends the session and drops unpublished writes. */
  public CompletableFuture<Void> end() {
    if (state == State.ENDED) return CompletableFuture.completedFuture(null);
    CompletableFuture<Replies.Done> done =
        change(router.identity(), new Names.EndSession(), Replies.Done.class);
    over();
    return done.thenApply(answer -> null);
  }

  private Message request(long epoch, long op, Identity who, Names.Op what) {
    return new Names.Request(
        group,
        epoch,
        instance.id(),
        tree,
        id,
        op,
        doneBelow(),
        settledBelow(),
        openTold.test(epoch),
        who,
        what);
  }

  /** Notices when an answer says that the session has ended. */
  private <M> CompletableFuture<M> watch(CompletableFuture<M> answer) {
    return answer.whenComplete(
        (value, failure) -> {
          if (failure != null && RequestFailed.from(failure).code() == ErrorCode.SESSION_ENDED) {
            over();
          }
        });
  }

  /** The home says that the session has ended. */
  public void toldEnded() {
    over();
  }

  private void over() {
    if (state == State.ENDED) return;
    state = State.ENDED;
    if (keepAlive != null) keepAlive.cancel();
    whenOver.forEach(Runnable::run);
    whenOver.clear();
  }

  /** Called once, when the session has ended; at once if it has. */
  public void whenOver(Runnable action) {
    if (state == State.ENDED) action.run();
    else whenOver.add(action);
  }

  private void keepAliveLater() {
    if (state != State.OPEN) return;
    keepAlive =
        router
            .timers()
            .after(
                router.config().times().sessionNanos() / KEEP_ALIVES_PER_EXPIRY,
                () ->
                    Futures.then(
                        ask(router.identity(), new Names.KeepAlive(), Replies.Done.class),
                        done -> keepAliveLater(),
                        failed -> keepAliveLater()));
  }
}
