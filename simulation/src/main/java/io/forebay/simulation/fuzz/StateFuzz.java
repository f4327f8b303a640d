// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fuzz;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupCommands;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.RequestBounds;
import io.forebay.wire.WireLimits;
import io.forebay.wire.codec.MessageCodec;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fuzzes the state of a group alone: no change of a client may make it throw, since every later
 * home applies the journal. After each round the state is written to a snapshot, read back and
 * compared, and the journal replayed. Repeatable by seed.
 */
public final class StateFuzz {
  private static final GroupId GROUP = GroupId.of(new SeatId(1), 2);
  private static final int INSTANCE = 1;
  private static final int SESSIONS = 3;
  private static final long SECOND = 1_000_000_000L;

  /**
   * The share of changes beyond the bounds that a home checks before it journals; old journals may
   * exceed them.
   */
  private static final int UNBOUNDED_ONE_IN = 4;

  private final SplittableRandom random;
  private final LiveValues live = new LiveValues();
  private final MessageMaker maker;
  private final List<Class<? extends Message>> changes;
  private final List<Class<? extends Message>> questions;
  private final List<Bytes> journal = new ArrayList<>();
  private final GroupState state = new GroupState(GROUP);
  private long index;

  public StateFuzz(long seed) {
    random = new SplittableRandom(seed);
    maker = new MessageMaker(random, live);
    changes = MessageTypes.all().stream().filter(Names.Change.class::isAssignableFrom).toList();
    questions = MessageTypes.all().stream().filter(Names.Question.class::isAssignableFrom).toList();
    live.add("group", GROUP);
    live.add("tree", 0);
    for (long session = 1; session <= SESSIONS; session++) live.add("session", session);
    live.add("file", Names.ROOT);
    live.add("file", Names.PAIRS);
    apply(new GroupCommand.BeginTree(INSTANCE, 0, 0, 0, 0, false, SECOND));
    for (long session = 1; session <= SESSIONS; session++) {
      change(session, 0, new Names.BeginSession("node", SECOND));
    }
  }

  /** Makes this many changes, then compares the results. */
  public void round(int count) throws MalformedFields {
    for (int i = 0; i < count; i++) {
      Message made = maker.make(changes.get(random.nextInt(changes.size())));
      boolean ends = made instanceof Names.EndSession;
      boolean far = random.nextInt(UNBOUNDED_ONE_IN) == 0;
      long session = ends ? random.nextLong() : 1 + random.nextInt(SESSIONS);
      if (far || RequestBounds.objection(request(session, (Names.Op) made)) == null) {
        change(session, random.nextInt(3) == 0 ? 0 : index + 1, (Names.Change) made);
      }
      ask((Names.Question) maker.make(questions.get(random.nextInt(questions.size()))));
    }
    compare();
  }

  private static Names.Request request(long session, Names.Op op) {
    return new Names.Request(GROUP, 1, INSTANCE, 0, session, 1, 0, 0, true, Identity.root(), op);
  }

  private void change(long session, long op, Names.Change change) {
    apply(
        new GroupCommand.ClientChange(
            INSTANCE, 0, session, op, index - 10, 0, Identity.root(), index * SECOND, change));
  }

  private void apply(GroupCommand command) {
    journal.add(GroupCommands.write(command));
    Message reply = state.apply(++index, command).reply();
    live.harvest((Record) reply);
    requireSendable(reply);
  }

  private void ask(Names.Question question) {
    Message answer = state.answer(INSTANCE, 0, 1, Identity.root(), question);
    live.harvest((Record) answer);
    requireSendable(answer);
  }

  /** An answer must fit a message, and a remembered one an item of a snapshot. */
  private static void requireSendable(Message answer) {
    int bytes = MessageCodec.lengthBytes(answer);
    int bytesMax = WireLimits.BODY_BYTES_MAX;
    if (bytes > bytesMax) throw new IllegalStateException(bytes + " bytes of " + answer.getClass());
  }

  private void compare() throws MalformedFields {
    List<Bytes> chunks = new ArrayList<>();
    state.snapshot(GroupState.CHUNK_BYTES_MIN, chunks::add);
    GroupState restored = new GroupState(GROUP);
    for (Bytes chunk : chunks) restored.restore(chunk);
    GroupState replayed = new GroupState(GROUP);
    long at = 0;
    for (Bytes entry : journal) replayed.apply(++at, GroupCommands.read(entry));
    long digest = state.digest();
    if (restored.digest() != digest) throw new IllegalStateException("restored as something else");
    if (replayed.digest() != digest) throw new IllegalStateException("replayed as something else");
  }
}
