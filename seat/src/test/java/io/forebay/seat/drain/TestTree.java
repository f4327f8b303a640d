// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.ring.Group;
import io.forebay.seat.TestSeat;
import io.forebay.seat.backing.DirectBacking;
import io.forebay.seat.drain.attempt.DrainedTree;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.ServingHome;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A drained tree for tests of parts: its state is real, what is proposed is applied at once, and
 * its backing store keeps nothing.
 */
public final class TestTree implements DrainedTree {
  public static final int INSTANCE = 1;
  private static final int TREE = 0;
  private static final long ROOT = Names.inTree(TREE, Names.ROOT);
  private static final long SESSION = 7;
  private static final int PIECE_BYTES = 100;

  private final TestSeat seat;
  private final Group group;
  private final GroupState state;
  private final ServingHome home;
  private final DirectBacking backing = new DirectBacking();
  private final List<GroupCommand> proposed = new ArrayList<>();
  private final List<DrainAttempt> suspected = new ArrayList<>();
  private final List<BackingFailure> troubles = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final Set<Long> worked = new HashSet<>();
  private boolean active = true;
  private boolean verifies;
  private long index;
  private long ops;

  public TestTree(TestSeat seat) {
    this.seat = seat;
    GroupId id = GroupId.of(TestSeat.SELF, 1);
    this.group = new Group(id, 1, List.of(new Group.Member(new SeatId(1), 1, true)));
    this.state = new GroupState(id);
    this.home = new ServingHome(group, state, this::propose);
    apply(new GroupCommand.BeginTree(INSTANCE, TREE, 0, 0, 0, false, now()));
    change(new Names.BeginSession("node", Long.MAX_VALUE / 2));
  }

  private long now() {
    return seat.basics().wallClock().nanos();
  }

  /** Applies a command as the journal does. */
  public GroupState.Applied apply(GroupCommand command) {
    return state.apply(++index, command);
  }

  private Message change(Names.Change change) {
    return apply(
            new GroupCommand.ClientChange(
                INSTANCE, TREE, SESSION, ++ops, 0, 0, Identity.root(), now(), change))
        .reply();
  }

  /** Creates a file with one piece. */
  public long write(String name) {
    long file = create(name);
    publish(file, 0, PIECE_BYTES);
    return file;
  }

  /** Creates an empty file. */
  public long create(String name) {
    Message made = change(new Names.Open(ROOT, name, true, true, true, false, false, 0644));
    return ((Names.NodeIs) made).attributes().number();
  }

  /** Publishes one more piece of a file; its record has this session and sequence. */
  public RecordId publish(long file, long offset, int lengthBytes) {
    long sequence = ++ops << 8;
    change(
        new Names.Publish(
            file,
            false,
            false,
            List.of(new Names.Piece(offset, lengthBytes, group.id(), sequence))));
    return new RecordId(SESSION, sequence);
  }

  /** An attempt at a file begins. */
  public DrainAttempt begin(long file) {
    long version = Objects.requireNonNull(view().attributes(file)).version();
    apply(new GroupCommand.BeginDrain(INSTANCE, TREE, file, version, now()));
    return Objects.requireNonNull(view().attempt(file));
  }

  /** The backing store gets a file, under its name. */
  public void drain(long file) {
    int number = begin(file).number();
    apply(new GroupCommand.NoteHandle(INSTANCE, TREE, file, number, "h"));
    apply(new GroupCommand.CommitDrain(INSTANCE, TREE, file, number));
    BackingChange change = Objects.requireNonNull(view().nextChange());
    apply(new GroupCommand.BackingChanged(INSTANCE, TREE, change.number(), true, "tag", now()));
  }

  /** The buffer evicts a drained file. */
  public void evict(long file) {
    apply(new GroupCommand.Release(INSTANCE, TREE, List.of(file)));
  }

  /** What was proposed since the last call. */
  public List<GroupCommand> takeProposed() {
    List<GroupCommand> taken = List.copyOf(proposed);
    proposed.clear();
    return taken;
  }

  /** The attempts of which something may still turn up in the backing store. */
  public List<DrainAttempt> suspected() {
    return suspected;
  }

  public List<BackingFailure> troubles() {
    return troubles;
  }

  /** An attempt at the file is being made from now on. */
  public void work(long file) {
    worked.add(file);
  }

  @Override
  public int instance() {
    return INSTANCE;
  }

  @Override
  public int tree() {
    return TREE;
  }

  @Override
  public boolean active() {
    return active;
  }

  /** The home may no longer act in the backing store. */
  public void deactivate() {
    active = false;
  }

  @Override
  public BackingView view() {
    return Objects.requireNonNull(state.backing(INSTANCE, TREE));
  }

  @Override
  public DirectBacking backing() {
    return backing;
  }

  @Override
  public void propose(GroupCommand command, HomeView.Change change) {
    proposed.add(command);
    change.applied(apply(command));
  }

  @Override
  public Attempt attempt(long file, DrainAttempt attempt, FileAttributes attributes) {
    AttemptId id = AttemptId.of(1, new FileId(INSTANCE, file), attempt.version(), attempt.number());
    return new Attempt(
        new AttemptPlan(id, BackingPath.of(attempt.target()), attempt.sizeBytes(), attributes),
        attempt.handle());
  }

  @Override
  public Leftovers leftovers() {
    return new Leftovers() {
      @Override
      public void suspect(DrainAttempt attempt) {
        suspected.add(attempt);
      }

      @Override
      public void suspect(BackingPath directory) {}
    };
  }

  @Override
  public RetryPace newPace() {
    return new RetryPace(RETRY_NANOS_MIN, 4 * RETRY_NANOS_MIN, seat.basics().random());
  }

  @Override
  public void troubled(BackingFailure failure) {
    troubles.add(failure);
  }

  @Override
  public void works() {}

  @Override
  public void changedUnderneath(long file, String sentence) {}

  @Override
  public boolean worksAt(long file) {
    return worked.contains(file);
  }

  @Override
  public boolean verifies() {
    return verifies;
  }

  /** From now on written bytes are to be read back. */
  public void verify() {
    verifies = true;
  }

  @Override
  public boolean mayWrite() {
    return true;
  }

  @Override
  public void written(int bytes) {}

  /** The jobs that ended, with the reasons of those that failed. */
  public List<String> ended() {
    return ended;
  }

  @Override
  public void ended(DrainQueue.Item item, @Nullable BackingFailure failure, String why) {
    ended.add(item.file().number() + ":" + why);
  }

  @Override
  public HomeView home() {
    return home;
  }
}
