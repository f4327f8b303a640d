// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.ConsensusProvider;
import io.forebay.server.consensus.GroupConfig;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agreement of several nodes by Apache Ratis. Owned by one loop: the engine's threads only put
 * actions into a queue, which {@link #poll} runs.
 *
 * <p>A proposal: 1. it gets a number and a place among the pending ones, 2. a thread of {@link
 * Engine} submits it, 3. the entry comes back when it is committed, on every node in the same
 * order, and is applied, 4. the node whose process is in its head tells the proposer. An entry that
 * was submitted may count whatever the engine says of it, so that each failure means "unknown".
 *
 * <p>A node that has an unknown proposal does not lead, even if the engine says that it does. It
 * proposes a mark: submissions keep their order, so that when the mark is applied, each earlier
 * proposal has been applied or never will be.
 */
final class RatisConsensus implements ConsensusGroup, LoopStateMachine.OnLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RatisConsensus.class);

  private enum State {
    NEW,
    FOLLOWING,
    /** The engine leads; the group's initial state, or a mark, is on its way into the log. */
    BEGINNING,
    LEADING,
    STOPPED,
    CLOSED
  }

  private static final Bytes NOTHING = Bytes.copyOf(new byte[0]);

  /** After a mark that failed; the engine often says soon that it has lost its leadership. */
  private static final long SETTLE_AGAIN_NANOS = 100_000_000;

  private static final String LOST =
      "another manager was elected, or a majority of the managers did not answer";

  private final GroupDirectory directory;
  private final Timers timers;
  private final ConsensusProvider.Stopped stopped;
  private final LoopQueue queue;
  private final LoopStateMachine engineEnd;
  private final Followers followers;
  private final Engine engine;
  private final Proposals proposals;
  private final MajorityQuestions questions;
  private final Bytes process;
  private final InitialState initial = new InitialState();

  private State state = State.NEW;
  private @Nullable Machine machine;
  private @Nullable Leadership leadership;
  private @Nullable Thread closing;

  /**
   * This node has lost all terms up to here; the engine's threads may tell of a term in any order.
   */
  private long termLost = -1;

  /** Whether a proposal of this process became unknown after the last mark. */
  private boolean unsettled;

  private RatisConsensus(
      GroupConfig config, ConsensusProvider.Environment environment, GroupTimes times)
      throws IOException {
    directory = GroupDirectory.open(config);
    timers = environment.timers();
    stopped = environment.stopped();
    queue = new LoopQueue(environment.wakeUp());
    engineEnd = new LoopStateMachine(queue, this);
    followers = new Followers(this::answered);
    engine = Engine.open(config, directory, times, engineEnd, followers);
    proposals = new Proposals(timers, times.proposal(), this::proposalUnknown);
    questions = new MajorityQuestions(engine, followers, timers, times.question());
    byte[] random = new byte[GroupEntry.PROCESS_BYTES];
    new SecureRandom().nextBytes(random);
    process = Bytes.copyOf(random);
  }

  static RatisConsensus open(
      GroupConfig config, ConsensusProvider.Environment environment, GroupTimes times)
      throws IOException {
    try {
      return new RatisConsensus(config, environment, times);
    } catch (RuntimeException e) {
      throw new IOException(
          "the managers' log in '%s' cannot be opened (%s)"
              .formatted(config.directory(), Engine.reasonOf(e)),
          e);
    }
  }

  @Override
  public void start(Machine machine, Leadership leadership) {
    if (state != State.NEW) throw new IllegalStateException("started already");
    this.machine = machine;
    this.leadership = leadership;
    state = State.FOLLOWING;
    try {
      engine.start();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the engine does not start", e);
      String reason =
          "it cannot start at " + directory.self().address() + ": " + Engine.reasonOf(e);
      later(() -> failed(reason));
    }
  }

  @Override
  public void propose(Bytes command, Proposer proposer) {
    String refusal =
        state == State.LEADING ? proposals.refusal(command.length()) : "this manager does not lead";
    if (refusal != null) {
      String reason = refusal;
      later(() -> proposer.decided(new Outcome.Rejected(reason)));
      return;
    }
    submit(command, 0, GroupEntry.COMMAND, proposer);
  }

  private void submit(Bytes content, int part, int parts, Proposer proposer) {
    long number = proposals.add(proposer, content.length());
    byte[] entry = new GroupEntry(process, number, part, parts, content).encode();
    engine.append(
        number,
        entry,
        failure -> {
          if (failure != null) onLoop(() -> proposalUnknown(number, failure));
        });
  }

  private void proposalUnknown(long number, String reason) {
    if (!proposals.isPending(number)) return;
    unsettled = true;
    if (state != State.LEADING) {
      proposals.unknown(number, reason);
      return;
    }
    stepDown(State.BEGINNING, reason);
    later(this::settle);
  }

  /** Leads when no proposal of this process is unknown any more. */
  private void settle() {
    if (state != State.BEGINNING) return;
    unsettled = false;
    submit(NOTHING, 0, GroupEntry.MARK, this::markEnded);
  }

  private void markEnded(Outcome outcome) {
    if (state != State.BEGINNING) return;
    if (outcome instanceof Outcome.Committed && !unsettled) later(this::finishBeginning);
    else timers.after(SETTLE_AGAIN_NANOS, () -> unlessClosed(this::settle));
  }

  @Override
  public void confirm(Confirmation confirmation) {
    if (state == State.LEADING) questions.ask(confirmation);
    else later(() -> confirmation.answered(false));
  }

  private void answered(LogAppender appender, long call) {
    onLoop(() -> questions.answered(appender, call));
  }

  /** While a change of the members is not committed, those of before are among them: they vote. */
  @Override
  public List<Member> members() {
    boolean leads = state == State.LEADING;
    RaftPeerId leader = engine.leader();
    List<Member> all = new ArrayList<>();
    for (RaftPeer peer : engine.voters()) {
      boolean self = peer.getId().equals(engine.self());
      boolean itLeads = self ? leads : !leads && peer.getId().equals(leader);
      all.add(member(Engine.peer(peer), itLeads, appenderTo(peer)));
    }
    return all;
  }

  /** How this node sends to a member; null if it does not lead, or for itself. */
  private @Nullable LogAppender appenderTo(RaftPeer peer) {
    return state == State.LEADING ? followers.get(peer.getId()) : null;
  }

  private Member member(Peer known, boolean leads, @Nullable LogAppender appender) {
    long behind = -1;
    long silentNanos = -1;
    if (leads && state == State.LEADING) {
      behind = 0;
      silentNanos = 0;
    } else if (appender != null) {
      FollowerInfo follower = appender.getFollower();
      behind = Math.max(0, engine.nextIndex() - 1 - follower.getMatchIndex());
      silentNanos = follower.getLastRpcResponseTime().elapsedTime().toLong(TimeUnit.NANOSECONDS);
    }
    return new Member(
        known.name(), known.incarnation(), known.clientAddress(), leads, behind, silentNanos);
  }

  @Override
  public Peer self() {
    return directory.self();
  }

  @Override
  public List<Peer> peers() {
    return engine.current().stream().map(Engine::peer).toList();
  }

  @Override
  public long term() {
    return engine.term();
  }

  @Override
  public void changeMembers(List<Peer> peers, MembersChange change) {
    if (state != State.LEADING) {
      later(() -> change.failed("this manager does not lead"));
      return;
    }
    engine.changeMembers(
        proposals.number(),
        peers,
        failure ->
            onLoop(
                () -> {
                  if (failure == null) change.changed();
                  else change.failed(failure);
                }));
  }

  @Override
  public boolean poll() {
    return queue.run();
  }

  @Override
  public void apply(TermIndex at, ByteString data) {
    GroupEntry entry = GroupEntry.decode(at.getIndex(), data.asReadOnlyByteBuffer());
    if (entry.isCommand()) {
      started(machine).apply(at.getIndex(), entry.content());
    } else if (!entry.isMark()) {
      Bytes whole = initial.add(entry);
      if (whole != null) started(machine).restore(whole);
    }
    if (entry.process().equals(process)) proposals.committed(entry.number(), at.getIndex());
  }

  @Override
  public void restore(GroupSnapshot snapshot) {
    initial.set(snapshot.begun());
    started(machine).restore(snapshot.state());
  }

  @Override
  public @Nullable GroupSnapshot snapshot() {
    if (initial.isPartial()) return null;
    return new GroupSnapshot(initial.isWhole(), started(machine).snapshot());
  }

  @Override
  public void ready(long term) {
    if (state != State.FOLLOWING || term <= termLost) return;
    try {
      Bytes begins = initial.isWhole() ? null : directory.initialState();
      state = State.BEGINNING;
      if (begins == null) {
        if (unsettled) settle();
        else begun();
        return;
      }
      List<Bytes> parts = InitialState.cut(begins);
      for (int i = 0; i < parts.size(); i++) {
        boolean last = i == parts.size() - 1;
        submit(parts.get(i), i, parts.size(), outcome -> partEnded(last, outcome));
      }
    } catch (IOException e) {
      failed(Engine.reasonOf(e));
    }
  }

  private void partEnded(boolean last, Outcome outcome) {
    if (state != State.BEGINNING) return;
    if (!(outcome instanceof Outcome.Committed)) {
      failed("the state that the group begins with could not be stored: " + outcome);
      return;
    }
    if (!last) return;
    // Only now: the proposer of the last part is told within its application.
    later(this::finishBeginning);
  }

  private void finishBeginning() {
    if (state != State.BEGINNING) return;
    try {
      begun();
    } catch (IOException e) {
      failed(Engine.reasonOf(e));
    }
  }

  private void begun() throws IOException {
    directory.removeInitialState();
    state = State.LEADING;
    started(leadership).leading();
  }

  @Override
  public void lost(long term) {
    termLost = Math.max(termLost, term);
    if (state == State.LEADING || state == State.BEGINNING) stepDown(State.FOLLOWING, LOST);
    membersChanged();
  }

  @Override
  public void membersChanged() {
    if (state != State.STOPPED && state != State.CLOSED) started(leadership).membersChanged();
  }

  @Override
  public void failed(String reason) {
    if (state == State.STOPPED || state == State.CLOSED) return;
    String sentence = "manager '" + self().name() + "' has stopped: " + reason;
    stepDown(State.STOPPED, sentence);
    endEngine();
    stopped.stopped(sentence);
  }

  private void stepDown(State next, String reason) {
    boolean led = state == State.LEADING;
    state = next;
    if (led) started(leadership).lost(reason);
    unsettled |= !proposals.isEmpty();
    proposals.allUnknown(reason);
    questions.denyAll();
  }

  private Thread endEngine() {
    engineEnd.detach();
    Thread ending = closing;
    if (ending != null) return ending;
    ending = Thread.ofPlatform().daemon().name("consensus-end-" + self().id()).start(this::end);
    closing = ending;
    return ending;
  }

  private void end() {
    try {
      engine.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the engine ends", e);
    }
  }

  @Override
  public void close() {
    state = State.CLOSED;
    proposals.forgetAll();
    questions.forgetAll();
    Thread ending = endEngine();
    try {
      // The engine's threads wait for what is in the queue.
      while (!ending.join(Duration.ofMillis(5))) queue.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** From other threads to the loop. */
  private void onLoop(Runnable action) {
    queue.put(() -> unlessClosed(action));
  }

  private void later(Runnable action) {
    timers.after(0, () -> unlessClosed(action));
  }

  private void unlessClosed(Runnable action) {
    if (state != State.CLOSED) action.run();
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) throw new IllegalStateException("not started");
    return part;
  }
}
