// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.Map;

/**
 * Journals (P10): a new home continues from the best journal that members showed it, answers only
 * from entries that all current members have, and a member that reports an agreeing journal has the
 * same entries as its home.
 */
public final class JournalAudit extends Audit {
  /** How many of the newest entries are compared. */
  private static final int COMPARED = 64;

  /** The number of a group's journal in a seat's log. */
  private static final long JOURNAL_OF_FIRST_GROUP = 1;

  private record Home(String host, GroupId group, long epoch) {}

  private record Follower(Home home, SeatId seat) {}

  private record Asked(String host, String client, long request) {}

  private record End(long epoch, long index) {
    boolean isBehind(End other) {
      return epoch < other.epoch || (epoch == other.epoch && index < other.index);
    }
  }

  // Looked up only.
  private final Map<Home, End> shown = new HashMap<>();
  private final Map<Home, Long> begunAt = new HashMap<>();
  private final Map<Follower, Long> matched = new HashMap<>();
  private final Map<Asked, GroupId> asked = new HashMap<>();

  public JournalAudit(World world) {
    super(world);
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Journals.JournalIs is) {
      End end = new End(is.lastEpoch(), is.lastIndex());
      shown.merge(new Home(to, is.group(), is.epoch()), end, (a, b) -> a.isBehind(b) ? b : a);
    } else if (message instanceof Journals.Appended appended && appended.matched()) {
      Home home = new Home(to, appended.group(), appended.epoch());
      matched.merge(new Follower(home, appended.member()), appended.lastIndex(), Math::max);
    } else if (message instanceof Names.Request names) {
      asked.put(new Asked(to, from, request), names.group());
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Journals.Append append) {
      sends(from, append);
    } else if (message instanceof Journals.Appended appended) {
      if (appended.matched()) compare(from, to, appended);
    } else if (answersNames(message)) {
      GroupId id = asked.remove(new Asked(from, to, request));
      if (id != null && !(message instanceof Replies.Failed)) answers(from, id);
    }
  }

  private void sends(String host, Journals.Append append) {
    Home home = new Home(host, append.group(), append.epoch());
    Long base = begunAt.putIfAbsent(home, append.previousIndex());
    if (base == null) {
      End adopted = new End(append.previousEpoch(), append.previousIndex());
      End best = shown.get(home);
      boolean known = append.previousEpoch() >= 0 || append.previousIndex() == 0;
      if (known && best != null && adopted.isBehind(best)) {
        broken("P10", host + " begins with " + adopted + " although it was shown " + best);
      }
    } else if (append.committed() > base) {
      requireMatched(home, append.committed(), "took as committed");
    }
  }

  private void answers(String host, GroupId id) {
    SeatNode node = nodeAt(host);
    Group group = node == null ? null : node.seat().entered(id);
    if (group == null) return;
    Home home = new Home(host, id, group.epoch());
    // With no other member nothing is ever sent.
    requireMatched(home, begunAt.getOrDefault(home, 0L) + 1, "answered before all had");
  }

  private void requireMatched(Home home, long index, String what) {
    SeatNode node = nodeAt(home.host);
    Group group = node == null ? null : node.seat().entered(home.group);
    if (group == null || group.epoch() != home.epoch) return;
    for (Group.Member member : group.members()) {
      if (!member.current() || member.seat().equals(group.home())) continue;
      if (matched.getOrDefault(new Follower(home, member.seat()), -1L) >= index) continue;
      broken("P10", home + " " + what + " entry " + index + ", which " + member.seat() + " lacks");
    }
  }

  private void compare(String member, String home, Journals.Appended appended) {
    SeatNode one = nodeAt(member);
    SeatNode other = nodeAt(home);
    RingMap map = world().map();
    if (one == null || other == null || map == null) return;
    long journal = JOURNAL_OF_FIRST_GROUP + appended.group().number();
    long last = appended.lastIndex();
    long from =
        Math.max(
            last - COMPARED,
            Math.max(one.store().journalFirst(journal), other.store().journalFirst(journal)));
    Group entered = other.seat().entered(appended.group());
    if (entered == null || entered.epoch() != appended.epoch()) return;
    for (long index = Math.max(1, from); index <= last; index++) {
      long here = one.store().journalEpoch(journal, index);
      long there = other.store().journalEpoch(journal, index);
      // The home has trimmed the entries that a snapshot contains.
      if (here == there || there < 0) continue;
      broken(
          "P10",
          "entry %d of %s is of epoch %d on %s and of %d on its home %s"
              .formatted(index, appended.group(), here, member, there, home));
      return;
    }
  }

  @Override
  public void killed(String host) {
    shown.keySet().removeIf(each -> each.host.equals(host));
    begunAt.keySet().removeIf(each -> each.host.equals(host));
    matched.keySet().removeIf(each -> each.home.host.equals(host));
    asked.keySet().removeIf(each -> each.host.equals(host));
  }
}
