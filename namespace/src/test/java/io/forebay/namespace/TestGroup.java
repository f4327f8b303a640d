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
final class TestGroup {
  static final GroupId HOME = GroupId.of(new SeatId(1), 2);
  static final GroupId OTHER = GroupId.of(new SeatId(2), 2);
  static final int BUFFER = 7;
  static final int TREE = 0;
  static final long ROOT = Names.inTree(TREE, Names.ROOT);
  static final long SESSION = 0x5e551011L;
  static final int SECOND = 1_000_000_000;

  GroupState state = new GroupState(HOME);
  Identity who = Identity.root();
  long session = SESSION;
  long index;
  long op;

  /** The last change in full. */
  Applied applied;

  /** Every command in the journal's own form. */
  final List<Bytes> journal = new ArrayList<>();

  static TestGroup begun() {
    return begun(0);
  }

  static TestGroup begun(long capacityBytes) {
    TestGroup group = new TestGroup();
    group.apply(new GroupCommand.BeginTree(BUFFER, TREE, 0, 0, capacityBytes, false, group.now()));
    group.change(new Names.BeginSession("node", SECOND));
    return group;
  }

  /** One whose tree shows what its backing store holds. */
  static TestGroup begunOver() {
    TestGroup group = new TestGroup();
    group.apply(
        new GroupCommand.BeginOver(
            new GroupCommand.BeginTree(BUFFER, TREE, 0, 0, 0, false, group.now())));
    group.change(new Names.BeginSession("node", SECOND));
    return group;
  }

  long now() {
    return (index + 1) * SECOND;
  }

  Message apply(GroupCommand command) {
    journal.add(GroupCommands.write(command));
    applied = state.apply(++index, command);
    return applied.reply();
  }

  Message change(Names.Change change) {
    return change(++op, change);
  }

  Message change(long op, Names.Change change) {
    return apply(
        new GroupCommand.ClientChange(BUFFER, TREE, session, op, 0, 0, who, now(), change));
  }

  /** Which of a session's records are dead. */
  List<Long> dead(long session, List<Long> sequences) {
    return state
        .dead(BUFFER, TREE, sequences.stream().map(each -> new RecordId(session, each)).toList())
        .stream()
        .map(RecordId::sequence)
        .toList();
  }

  Message ask(Names.Question question) {
    return state.answer(BUFFER, TREE, session, who, question);
  }

  ErrorCode code(Message reply) {
    return reply instanceof Replies.Failed failed ? failed.code() : ErrorCode.NONE;
  }

  /** What the change was refused with; NONE if it was done. */
  ErrorCode tryChange(Names.Change change) {
    return code(change(change));
  }

  ErrorCode tryAsk(Names.Question question) {
    return code(ask(question));
  }

  <T extends Message> T must(Class<T> type, Message reply) {
    assertThat(reply).isInstanceOf(type);
    return type.cast(reply);
  }

  Names.Attributes create(String path) {
    return must(Names.NodeIs.class, change(open(path, true, false))).attributes();
  }

  static Names.Open open(String path, boolean create, boolean truncate) {
    return new Names.Open(ROOT, path, true, true, create, false, truncate, 0644);
  }

  Names.Attributes mkdir(String path) {
    return must(Names.NodeIs.class, change(new Names.MakeDirectory(ROOT, path, 0755))).attributes();
  }

  Names.Attributes stat(String path) {
    return must(Names.NodeIs.class, ask(new Names.Lookup(ROOT, path, false))).attributes();
  }

  Names.Attributes stat(long number) {
    return must(Names.NodeIs.class, ask(new Names.Lookup(number, "", false))).attributes();
  }

  Names.Published publish(long file, Names.Piece... pieces) {
    return must(
        Names.Published.class, change(new Names.Publish(file, false, false, List.of(pieces))));
  }

  static Names.Piece piece(long offset, int lengthBytes, long number) {
    return new Names.Piece(offset, lengthBytes, HOME, number * 256);
  }

  List<Names.Run> runs(long file) {
    return must(
            Names.RunsAre.class,
            ask(new Names.FindRuns(file, 0, Long.MAX_VALUE, Integer.MAX_VALUE)))
        .runs();
  }

  /** What the journal alone comes to. */
  GroupState replayed() throws MalformedFields {
    GroupState replica = new GroupState(HOME);
    long at = 0;
    for (Bytes entry : journal) replica.apply(++at, GroupCommands.read(entry));
    return replica;
  }

  /** What a snapshot in chunks of so many bytes comes to. */
  GroupState restored(int chunkBytes) throws MalformedFields {
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
