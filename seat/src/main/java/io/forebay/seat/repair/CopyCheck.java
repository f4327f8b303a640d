// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.CopyQueue;
import io.forebay.seat.put.CopyQueues;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other current members of each group whether they have this seat's records, and sends the
 * missing ones. Members should have everything, but a record whose header is damaged is simply
 * missing after a restart, and its seat does not notice.
 *
 * <p>It runs after changes of the map, which every restart causes, and at intervals.
 */
public final class CopyCheck {
  private static final int ASKED_AT_ONCE = 2048;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();
  private static final long SOON_NANOS = 10_000_000_000L;
  private static final long SELDOM_NANOS = 3_600_000_000_000L;

  /** The pause between questions, as a multiple of the last answer's time. */
  private static final int PAUSE_FACTOR = 8;

  private static final long PAUSE_NANOS_MIN = 10_000_000L;

  private record Place(GroupId group, int instance) {}

  private record Question(SeatId member, Place place, List<RecordId> records) {}

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final Questions questions;
  private final CopyQueues copies;

  // At most the records of one segment, for each other member.
  private final ArrayDeque<Question> pending = new ArrayDeque<>();
  private @Nullable RecordWalk walk;
  private boolean asking;
  private boolean again;
  private long nextNanos;
  private long pausedUntilNanos;

  public CopyCheck(Basics basics, Questions questions, CopyQueues copies) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.questions = questions;
    this.copies = copies;
    this.nextNanos = timers.nanos() + SOON_NANOS;
    this.pausedUntilNanos = timers.nanos();
  }

  /** In a series of changes, the check for the first does not wait for the last. */
  public void mapChanged() {
    again = true;
    long soonNanos = timers.nanos() + SOON_NANOS;
    if (soonNanos - nextNanos < 0) nextNanos = soonNanos;
  }

  public void poll() {
    long now = timers.nanos();
    if (asking || now - pausedUntilNanos < 0) return;
    if (!pending.isEmpty()) {
      ask(pending.remove());
    } else if (walk != null) {
      if (!next(walk)) end();
    } else if (now - nextNanos >= 0) {
      again = false;
      nextNanos = now + SELDOM_NANOS;
      walk = store.walk();
    }
  }

  private void end() {
    walk = null;
    if (again) nextNanos = timers.nanos() + SOON_NANOS;
  }

  private boolean next(RecordWalk records) {
    Map<Place, List<RecordId>> found = new LinkedHashMap<>();
    boolean more =
        records.next(
            (id, file, group, bytes) -> {
              Place place = new Place(new GroupId(group), file.instance());
              found.computeIfAbsent(place, key -> new ArrayList<>()).add(id);
            });
    found.forEach(this::addQuestions);
    return more;
  }

  private void addQuestions(Place place, List<RecordId> records) {
    RingMap map = maps.map();
    Group group = map == null ? null : map.group(place.group);
    if (group == null || maps.instance(place.instance) == null || !isCurrent(group)) return;
    for (Group.Member member : group.members()) {
      // The home repairs members that are not current.
      boolean asked = member.current() && !member.seat().equals(seat.id());
      if (!asked || maps.away(member.seat())) continue;
      for (int from = 0; from < records.size(); from += ASKED_AT_ONCE) {
        int to = Math.min(records.size(), from + ASKED_AT_ONCE);
        pending.add(new Question(member.seat(), place, List.copyOf(records.subList(from, to))));
      }
    }
  }

  private boolean isCurrent(Group group) {
    int place = group.indexOf(seat.id());
    return place >= 0
        && group.members().get(place).current()
        && group.members().get(place).incarnation() == seat.incarnation();
  }

  private void ask(Question question) {
    asking = true;
    long askedNanos = timers.nanos();
    questions.ask(
        question.member,
        new Data.AskHeld(question.place.instance, question.records),
        ANSWER_NANOS,
        reply -> {
          asking = false;
          long pause = Math.max(PAUSE_NANOS_MIN, PAUSE_FACTOR * (timers.nanos() - askedNanos));
          pausedUntilNanos = timers.nanos() + pause;
          answered(question, reply);
        });
  }

  private void answered(Question question, @Nullable Message reply) {
    RingMap map = maps.map();
    Group group = map == null ? null : map.group(question.place.group);
    if (!(reply instanceof Data.LackingAre lacking) || group == null) return;
    CopyQueue queue = copies.to(question.member);
    for (Data.Lacking each : lacking.records()) {
      RecordId record = each.record();
      FileId file = store.file(record);
      // Records that do not fit the queue are found the next time.
      if (file == null || !store.present(record) || queue.full()) continue;
      Instance instance = maps.instance(file.instance());
      boolean forced = instance != null && instance.forced();
      int bytes = store.payloadBytes(record);
      RecordHeader header = RecordHeader.data(record, file, 0, group.id().number(), bytes);
      queue.add(new CopyQueue.Copy(group.id(), group.epoch(), header, forced, null));
    }
  }
}
