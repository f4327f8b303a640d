// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupState.Applied;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;

/** A state with one shared tree, short words to use it, and a second replica that must agree. */
public final class TestGroup {
  public static final GroupId HOME = GroupId.of(new SeatId(1), 2);
  public static final GroupId OTHER = GroupId.of(new SeatId(2), 2);
  public static final int BUFFER = 7;
  public static final int TREE = 0;
  public static final long ROOT = Names.inTree(TREE, Names.ROOT);
  public static final long SESSION = 0x5e551011L;
  public static final int SECOND = 1_000_000_000;

  public GroupState state = new GroupState(HOME);
  public Identity who = Identity.root();
  public long session = SESSION;
  public long index;
  public long op;

  /** The last change in full. */
  public Applied applied;

  /** Every command in the journal's own form. */
  public final List<Bytes> journal = new ArrayList<>();

  public static TestGroup begun() {
    return begun(0);
  }

  public static TestGroup begun(long capacityBytes) {
    TestGroup group = new TestGroup();
    group.apply(new GroupCommand.BeginTree(BUFFER, TREE, 0, 0, capacityBytes, false, group.now()));
    group.change(new Names.BeginSession("node", SECOND));
    return group;
  }

  /** One whose tree shows what its backing store holds. */
  public static TestGroup begunOver() {
    TestGroup group = new TestGroup();
    group.apply(
        new GroupCommand.BeginOver(
            new GroupCommand.BeginTree(BUFFER, TREE, 0, 0, 0, false, group.now())));
    group.change(new Names.BeginSession("node", SECOND));
    return group;
  }

  public long now() {
    return (index + 1) * SECOND;
  }

  public Message apply(GroupCommand command) {
    journal.add(GroupCommands.write(command));
    applied = state.apply(++index, command);
    return applied.reply();
  }

  public Message change(Names.Change change) {
    return change(++op, change);
  }

  public Message change(long op, Names.Change change) {
    return apply(
        new GroupCommand.ClientChange(BUFFER, TREE, session, op, 0, 0, who, now(), change));
  }

  /** Which of a session's records are dead. */
  public List<Long> dead(long session, List<Long> sequences) {
    return state
        .dead(BUFFER, TREE, sequences.stream().map(each -> new RecordId(session, each)).toList())
        .stream()
        .map(RecordId::sequence)
        .toList();
  }

  public Message ask(Names.Question question) {
    return state.answer(BUFFER, TREE, session, who, question);
  }

  public ErrorCode code(Message reply) {
    return reply instanceof Replies.Failed failed ? failed.code() : ErrorCode.NONE;
  }

  /** What the change was refused with; NONE if it was done. */
  public ErrorCode tryChange(Names.Change change) {
    return code(change(change));
  }

  public ErrorCode tryAsk(Names.Question question) {
    return code(ask(question));
  }

  public <T extends Message> T must(Class<T> type, Message reply) {
    assertThat(reply).isInstanceOf(type);
    return type.cast(reply);
  }

  public Names.Attributes create(String path) {
    return must(Names.NodeIs.class, change(open(path, true, false))).attributes();
  }

  public static Names.Open open(String path, boolean create, boolean truncate) {
    return new Names.Open(ROOT, path, true, true, create, false, truncate, 0644);
  }

  public Names.Attributes mkdir(String path) {
    return must(Names.NodeIs.class, change(new Names.MakeDirectory(ROOT, path, 0755))).attributes();
  }

  public Names.Attributes stat(String path) {
    return must(Names.NodeIs.class, ask(new Names.Lookup(ROOT, path, false))).attributes();
  }

  public Names.Attributes stat(long number) {
    return must(Names.NodeIs.class, ask(new Names.Lookup(number, "", false))).attributes();
  }

  public Names.Published publish(long file, Names.Piece... pieces) {
    return must(
        Names.Published.class, change(new Names.Publish(file, false, false, List.of(pieces))));
  }

  public static Names.Piece piece(long offset, int lengthBytes, long number) {
    return new Names.Piece(offset, lengthBytes, HOME, number * 256);
  }

  public List<Names.Run> runs(long file) {
    return must(
            Names.RunsAre.class,
            ask(new Names.FindRuns(file, 0, Long.MAX_VALUE, Integer.MAX_VALUE)))
        .runs();
  }

  /** What the journal alone comes to. */
  public GroupState replayed() throws MalformedFields {
    GroupState replica = new GroupState(HOME);
    long at = 0;
    for (Bytes entry : journal) replica.apply(++at, GroupCommands.read(entry));
    return replica;
  }

  /** What a snapshot in chunks of so many bytes comes to. */
  public GroupState restored(int chunkBytes) throws MalformedFields {
    List<Bytes> chunks = new ArrayList<>();
    SnapshotWriter.write(state, chunkBytes, chunks::add);
    GroupState copy = new GroupState(HOME);
    for (Bytes chunk : chunks) {
      assertThat(chunk.length()).isLessThanOrEqualTo(chunkBytes);
      copy.restore(chunk);
    }
    return copy;
  }
}
