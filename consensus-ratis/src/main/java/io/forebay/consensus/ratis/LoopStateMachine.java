// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The end of the engine: passes everything to the owner's loop, in the order in which the engine
 * tells it. Called by the engine's threads.
 */
final class LoopStateMachine extends BaseStateMachine {
  /** What the loop does. */
  interface OnLoop {
    void apply(TermIndex at, ByteString entry);

    void restore(GroupSnapshot snapshot);

    /** The present state; null if none can be taken now. */
    @Nullable GroupSnapshot snapshot();

    void ready(long term);

    void lost(long term);

    /** Another node may lead, or the members have changed. */
    void membersChanged();

    void failed(String reason);
  }

  private static final Message NOTHING = Message.EMPTY;

  private final LoopQueue queue;
  private final OnLoop loop;
  private final SnapshotFiles files = new SnapshotFiles();

  /** What the loop has applied. */
  private volatile TermIndex applied = TermIndex.INITIAL_VALUE;

  /** Of the last entry that the engine's applying thread saw. */
  private volatile long termSeen;

  private volatile RaftServer.@Nullable Division division;
  private volatile boolean closed;

  LoopStateMachine(LoopQueue queue, OnLoop loop) {
    this.queue = queue;
    this.loop = loop;
  }

  /** Before the start. */
  void setDivision(RaftServer.Division division) {
    this.division = division;
  }

  /** From here on nothing reaches the loop, and nothing waits for it. */
  void detach() {
    closed = true;
    queue.close();
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    files.init(storage);
    getLifeCycle().startAndTransition(this::load, IOException.class);
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  /** A snapshot of the leader is in place of the files. */
  @Override
  public void reinitialize() throws IOException {
    getLifeCycle().transition(LifeCycle.State.STARTING);
    files.reload();
    load();
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  private void load() throws IOException {
    SnapshotInfo latest = files.getLatestSnapshot();
    if (latest == null) return;
    GroupSnapshot snapshot = files.read(latest);
    TermIndex at = latest.getTermIndex();
    applied = at;
    put(
        () -> {
          applied = at;
          loop.restore(snapshot);
        });
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return files;
  }

  @Override
  public TermIndex getLastAppliedTermIndex() {
    return applied;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
    TermIndex at = TermIndex.valueOf(entry);
    ByteString data = entry.getStateMachineLogEntry().getLogData();
    termSeen = at.getTerm();
    queue.reserve(data.size());
    // After the end nothing is applied any more; the next process applies it again.
    if (closed) return CompletableFuture.completedFuture(NOTHING);
    CompletableFuture<Message> done = new CompletableFuture<>();
    queue.put(
        () -> {
          queue.release(data.size());
          try {
            if (closed) return;
            loop.apply(at, data);
            applied = at;
          } finally {
            // Even if the machine threw: the engine waits for this before it ends.
            done.complete(NOTHING);
          }
        });
    return done;
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    TermIndex at = TermIndex.valueOf(term, index);
    termSeen = term;
    // Of the engine itself; in its turn, so that no entry before it is taken for applied.
    put(() -> applied = at);
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    termSeen = term;
    put(loop::membersChanged);
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
    put(loop::membersChanged);
  }

  /** The first entry of a new leader is about to be applied: all earlier ones are in the queue. */
  @Override
  public void notifyLeaderReady() {
    long term = termSeen;
    put(() -> loop.ready(term));
  }

  /** The engine's term changes only after this. */
  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    RaftServer.Division known = division;
    if (known == null) throw new IllegalStateException("a leader before the start");
    long term = known.getInfo().getCurrentTerm();
    put(() -> loop.lost(term));
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    fail("its log cannot be written (" + Engine.reasonOf(cause) + ")");
  }

  private void put(Runnable action) {
    queue.put(
        () -> {
          if (!closed) action.run();
        });
  }

  private void fail(String reason) {
    put(() -> loop.failed(reason));
  }

  /** By the engine's applying thread, which waits for the loop; the loop never waits for it. */
  @Override
  public long takeSnapshot() throws IOException {
    CompletableFuture<@Nullable GroupSnapshot> taken = new CompletableFuture<>();
    CompletableFuture<TermIndex> at = new CompletableFuture<>();
    put(
        () -> {
          at.complete(applied);
          taken.complete(loop.snapshot());
        });
    while (!taken.isDone()) {
      if (closed) return RaftLog.INVALID_LOG_INDEX;
      await(taken);
    }
    GroupSnapshot snapshot = taken.join();
    if (snapshot == null) return RaftLog.INVALID_LOG_INDEX;
    try {
      files.write(at.join(), snapshot);
    } catch (IOException | UncheckedIOException e) {
      fail("its snapshot cannot be written (" + Engine.reasonOf(e) + ")");
      return RaftLog.INVALID_LOG_INDEX;
    }
    return at.join().getIndex();
  }

  private static void await(CompletableFuture<?> future) {
    try {
      future.get(100, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The engine ends, for one reason or another. */
  @Override
  public void close() {
    fail("its group has removed it, or its engine has ended");
  }
}
