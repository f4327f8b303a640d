// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.body;

import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.namespace.GroupCommand;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.put.Holds;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.GroupMessage;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of rewritten methods of seats and managers that are more than a constant. */
public final class SeatFaults {
  /** A session with few requests ends after this part of its time. */
  private static final int EXPIRY_SHARE = 20;

  private SeatFaults() {}

  /** A record that is here already is acknowledged at once. */
  public static @Nullable Landing acknowledgePresent(
      Store store,
      Holds holds,
      Connection connection,
      long request,
      Data.Put message,
      int payloadBytes) {
    if (!store.present(message.record())) return null;
    connection.send(request, new Data.PutDone(message.record()));
    return holds.over(connection, Landing.DISCARD);
  }

  public static boolean isNotLater(Data.Replicate copy, long epoch) {
    return copy.epoch() <= epoch;
  }

  /** All messages of older epochs are refused, but for journal entries. */
  public static boolean isOlderAndNoEntries(GroupMessage message, long epoch) {
    return message.epoch() < epoch && !(message instanceof Journals.Append);
  }

  /** Dropped as far as the next record of the session. */
  public static Scope andTheNext(Scope scope) {
    return scope instanceof Scope.Records records
        ? new Scope.Records(
            records.session(), records.fromSequence(), records.toSequence() + RecordId.ATTEMPTS)
        : scope;
  }

  /** Any entry at that index is taken for the home's. */
  public static boolean stands(long standingEpoch, long epoch) {
    return standingEpoch >= 0;
  }

  public static List<?> withoutLast(List<?> all) {
    return all.isEmpty() ? all : new ArrayList<>(all.subList(0, all.size() - 1));
  }

  /** The last entry but one of the journal is skipped. */
  public static boolean isLastButOne(GroupJournal journal, long index, GroupCommand command) {
    return index == journal.last() - 1;
  }

  /** Entries that took a lock are skipped. */
  public static boolean isLock(long index, GroupCommand command) {
    return command instanceof GroupCommand.ClientChange change
        && change.change() instanceof Names.SetLock;
  }

  /** One more end is not noted. */
  public static EndedInstances asBefore(EndedInstances ended, int number) {
    return ended;
  }

  /** It may be newer than the map. */
  public static boolean lacks(RingMap map, int instance) {
    return map.instance(instance) == null;
  }

  public static long fromArrival(Timers timers, Maps.LeaseGranted grant) {
    return timers.nanos();
  }

  public static long sameTerm(long term, long nowSeconds) {
    return term;
  }

  public static long atTheStart(long startNanos) {
    return startNanos;
  }

  public static long sameEpoch(Group group, long ringEpoch) {
    return group.epoch();
  }

  public static long expireEarly(long expiryNanos) {
    return expiryNanos / EXPIRY_SHARE;
  }

  /** Everything that was asked about, if there was an answer. */
  public static @Nullable List<RecordId> allIfAnswered(
      List<RecordId> asked, @Nullable Message reply) {
    return reply instanceof Data.DeadAre ? asked : null;
  }

  /** Everything that was asked about, if there was no answer. */
  public static @Nullable List<RecordId> allIfUnanswered(
      List<RecordId> asked, @Nullable Message reply) {
    return reply instanceof Data.DeadAre answer ? answer.records() : asked;
  }

  /** All members but the silent one count as current. */
  public static Group othersCurrent(
      Group without,
      Group group,
      SeatId silent,
      RingMap map,
      Collection<SeatId> unheard,
      Group.Held held) {
    List<Group.Member> members = new ArrayList<>();
    for (Group.Member each : without.members()) {
      members.add(new Group.Member(each.seat(), each.incarnation(), !each.seat().equals(silent)));
    }
    return members.equals(without.members()) ? without : without.next(members);
  }
}
