// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Timers;
import io.forebay.seat.consensus.Consensus.Confirmation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Asks the followers whether this node still leads. Called by the loop only.
 *
 * <ol>
 *   <li>For each follower, the number of the next call to it is noted.
 *   <li>Heartbeats are sent at once.
 *   <li>A follower that takes a call with such a number or a later one knew of no later leader when
 *       it did, which was after the question.
 *   <li>When a majority has, this node led when it asked.
 * </ol>
 *
 * <p>The engine's linearizable read will not do: it asks no follower if a read at the same commit
 * index was confirmed before, so that an idle leader that was cut off would confirm itself.
 */
final class MajorityQuestions {
  /** A call to a follower; later calls have larger numbers, but only with the same appender. */
  private record Call(LogAppender appender, long number) {}

  private static final class Question {
    final Confirmation confirmation;
    final Map<RaftPeerId, Call> calls = new HashMap<>();
    final Set<RaftPeerId> agreed = new HashSet<>();
    final Timers.Timer deadline;

    Question(Confirmation confirmation, Timers.Timer deadline) {
      this.confirmation = confirmation;
      this.deadline = deadline;
    }
  }

  private final Engine engine;
  private final Followers followers;
  private final Timers timers;
  private final Duration patience;
  private final List<Question> open = new ArrayList<>();

  MajorityQuestions(Engine engine, Followers followers, Timers timers, Duration patience) {
    this.engine = engine;
    this.followers = followers;
    this.timers = timers;
    this.patience = patience;
  }

  /** Asks for a node that leads as far as it knows. */
  void ask(Confirmation confirmation) {
    List<Question> made = new ArrayList<>(1);
    Timers.Timer deadline =
        timers.after(patience.toNanos(), () -> made.forEach(each -> end(each, false)));
    Question question = new Question(confirmation, deadline);
    made.add(question);
    open.add(question);
    // Before the numbers are read: no answer to them may be missed.
    followers.setAsking(true);
    for (RaftPeer peer : engine.current()) call(question, peer);
    for (RaftPeer peer : engine.previous()) call(question, peer);
    // A node that is alone has its majority, and is told later like any other.
    timers.after(0, () -> endIfAgreed(question));
  }

  private void call(Question question, RaftPeer peer) {
    LogAppender appender = followers.get(peer.getId());
    if (appender == null || peer.getId().equals(engine.self())) return;
    question.calls.put(peer.getId(), new Call(appender, appender.getCallId()));
    appender.triggerHeartbeat();
  }

  /** A follower has taken a call. */
  void answered(LogAppender appender, long number) {
    RaftPeerId peer = appender.getFollowerId();
    for (Question question : new ArrayList<>(open)) {
      Call call = question.calls.get(peer);
      boolean after =
          call != null
              && call.appender.equals(appender)
              && appender.getCallIdComparator().compare(number, call.number) >= 0;
      if (after && question.agreed.add(peer)) endIfAgreed(question);
    }
  }

  private void endIfAgreed(Question question) {
    if (isMajority(question, engine.current()) && isMajority(question, engine.previous())) {
      end(question, true);
    }
  }

  private boolean isMajority(Question question, Collection<RaftPeer> peers) {
    int agreed = 0;
    for (RaftPeer peer : peers) {
      RaftPeerId id = peer.getId();
      if (id.equals(engine.self()) || question.agreed.contains(id)) agreed++;
    }
    return peers.isEmpty() || 2 * agreed > peers.size();
  }

  /** This node does not lead any more. */
  void denyAll() {
    for (Question question : new ArrayList<>(open)) end(question, false);
  }

  /** None is answered any more. */
  void forgetAll() {
    for (Question question : open) question.deadline.cancel();
    open.clear();
  }

  private void end(Question question, boolean leads) {
    if (!open.remove(question)) return;
    if (open.isEmpty()) followers.setAsking(false);
    question.deadline.cancel();
    question.confirmation.answered(leads);
  }
}
