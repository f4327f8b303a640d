// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.client.core.OpenFile;
import io.forebay.client.core.SessionLocks;
import io.forebay.simulation.audit.LockAudit;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client that takes one advisory lock after the other, holds each for a while, and dies. */
final class LockPlayer {
  /** Few bytes, so that locks conflict. */
  private static final int BYTES = 4;

  private static final String FILE = "locked";
  private static final long OWNER = 1;
  private static final long POLL_NANOS = 50_000_000L;
  private static final long THINK_NANOS_MAX = 500_000_000L;
  private static final long HOLD_NANOS_MAX = 2_000_000_000L;

  private final World world;
  private final ClientNode node;
  private final LockAudit audit;
  private final SplittableRandom random;
  private final Identity who = Identity.root();
  private long file;
  private long ticket;
  private @Nullable SessionLocks locks;

  LockPlayer(World world, ClientNode node, LockAudit audit, SplittableRandom random) {
    this.world = world;
    this.node = node;
    this.audit = audit;
    this.random = random;
  }

  void start() {
    node.start();
    var _ =
        node.core()
            .start()
            .thenCompose(started -> node.core().open(who, LockPlayer::creation))
            .whenComplete(
                (opened, failure) -> {
                  if (failure == null) begin(opened);
                  else later(THINK_NANOS_MAX, this::kill);
                });
  }

  private static Names.Open creation(long root) {
    return new Names.Open(root, FILE, true, true, true, false, false, 0644);
  }

  private void begin(OpenFile opened) {
    file = opened.number();
    var _ =
        node.core()
            .locks()
            .whenComplete(
                (found, failure) -> {
                  locks = found;
                  if (failure == null) next();
                  else kill();
                });
  }

  boolean isRunning() {
    return node.isRunning();
  }

  String host() {
    return node.host();
  }

  /** It dies without a message; its locks are free when the servers notice. */
  void kill() {
    if (!node.isAlive()) return;
    audit.gone(host());
    node.kill();
    world.remove(node);
  }

  private void next() {
    SessionLocks session = locks;
    if (session == null) return;
    long first = random.nextInt(BYTES);
    long last = first + random.nextInt(BYTES);
    Names.LockKind kind = random.nextInt(3) == 0 ? Names.LockKind.WHOLE : Names.LockKind.RANGE;
    Names.Lock lock = new Names.Lock(file, kind, OWNER, 1, random.nextInt(3) > 0, first, last);
    long waiting = random.nextBoolean() ? ++ticket : 0;
    answered(session, lock, waiting, session.set(who, lock, waiting));
  }

  private void answered(
      SessionLocks session,
      Names.Lock lock,
      long waiting,
      CompletableFuture<Names.LockState> answer) {
    var _ =
        answer.whenComplete(
            (state, failure) -> {
              if (!node.isAlive()) return;
              // The result is unknown: it releases everything.
              if (failure != null || state == Names.LockState.TAKEN) letGo(session, lock);
              else if (state == Names.LockState.HELD) hold(session, lock);
              else
                later(
                    POLL_NANOS, () -> answered(session, lock, waiting, session.ask(who, waiting)));
            });
  }

  private void hold(SessionLocks session, Names.Lock lock) {
    audit.holds(host(), lock);
    later(random.nextLong(HOLD_NANOS_MAX), () -> letGo(session, lock));
  }

  private void letGo(SessionLocks session, Names.Lock lock) {
    audit.gone(host());
    Names.Lock all = new Names.Lock(file, lock.kind(), OWNER, 1, false, 0, Long.MAX_VALUE);
    var _ =
        session
            .unlock(who, all)
            .whenComplete((done, failure) -> later(random.nextLong(THINK_NANOS_MAX), this::next));
  }

  private void later(long nanos, Runnable action) {
    node.timers().after(nanos, action);
  }
}
