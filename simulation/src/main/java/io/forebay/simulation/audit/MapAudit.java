// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The manager never goes back behind a map that it sent, unless it lost its log and is recovered,
 * nor a seat behind a map that it followed (P16). Only a current member becomes home, and only a
 * home's report makes a member current (P8). A seat that lost its memory returns in a new
 * incarnation (P11). An instance that is in the map no more is among those that have ended, for
 * ever (P37), and no seat says so of another one.
 */
public final class MapAudit extends Audit {
  /** What a seat answers to requests about an instance that has ended. */
  private static final Pattern ENDED = Pattern.compile("instance (\\d+) has ended");

  // Looked up only.
  private final Map<GroupId, Group> known = new TreeMap<>();
  private final Set<Maps.MemberComplete> complete = new HashSet<>();
  private final Map<String, Long> followed = new HashMap<>();
  private final Set<Integer> lived = new TreeSet<>();
  private EndedInstances ended = EndedInstances.NONE;
  private long epoch;

  public MapAudit(World world) {
    super(world);
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Maps.MemberComplete told) {
      complete.add(told);
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Maps.Ping ping) follows(from, ping.ringEpoch());
    if (message instanceof Maps.SeatReport report) follows(from, report.ringEpoch());
    if (message instanceof Replies.Failed failed) saysEnded(from, failed);
    if (message instanceof Maps.Init init) presents(from, init.seat().incarnation());
  }

  /** A seat cannot know of an end before the manager has decided it (P37). */
  private void saysEnded(String host, Replies.Failed failed) {
    if (failed.code() != ErrorCode.UNKNOWN_INSTANCE) return;
    Matcher matcher = ENDED.matcher(failed.detail());
    RingMap map = world().map();
    if (!matcher.matches() || map == null) return;
    int id = Integer.parseInt(matcher.group(1));
    if (map.instance(id) != null) broken("P37", host + " says that instance " + id + " has ended");
  }

  private void presents(String host, long incarnation) {
    for (SeatNode node : world().seats()) {
      if (node.host().equals(host) && node.lostIncarnation() == incarnation) {
        broken("P11", host + " lost its memory and comes back as if it had not");
      }
    }
  }

  private void follows(String host, long ringEpoch) {
    if (nodeAt(host) == null) return;
    Long before = followed.put(host, ringEpoch);
    if (before == null || before <= ringEpoch) return;
    broken("P16", host + " follows the map of epoch " + ringEpoch + " after that of " + before);
  }

  /** What the manager decided after that map has reached no seat. */
  @Override
  public void recovered(RingMap from) {
    known.clear();
    for (Group group : from.groups()) known.put(group.id(), group);
    ended = from.ended();
    lived.clear();
    for (Instance instance : from.instances()) lived.add(instance.id());
  }

  @Override
  public void look() {
    RingMap map = world().map();
    if (map == null || map.epoch() == epoch) return;
    epoch = map.epoch();
    for (Group group : map.groups()) {
      Group before = known.put(group.id(), group);
      if (before != null && !before.equals(group)) compare(before, group);
    }
    compareInstances(map);
  }

  /** The manager may have decided more than once since the last check. */
  private void compareInstances(RingMap map) {
    EndedInstances forgotten = ended.without(map.ended());
    if (!forgotten.isEmpty()) broken("P37", "the map says no more that " + forgotten + " ended");
    for (int id : lived) {
      boolean said = map.instance(id) != null || map.ended().contains(id);
      if (!said) broken("P37", "instance " + id + " is gone, and the map does not say so");
    }
    ended = map.ended();
    lived.clear();
    for (Instance instance : map.instances()) lived.add(instance.id());
  }

  private void compare(Group before, Group now) {
    if (now.epoch() <= before.epoch()) {
      broken("P16", "the map went back from " + before + " to " + now);
      return;
    }
    for (Group.Member member : now.members()) {
      int place = before.indexOf(member.seat());
      boolean was = place >= 0 && before.members().get(place).current();
      if (!member.current() || was || neverLeftOut(before, now, member)) continue;
      if (goesOnAfterLoss(before, now)) continue;
      if (!complete(before, now, member)) {
        broken("P8", member + " became current in " + now.id() + " without its home's word");
      }
    }
  }

  /**
   * Whether it held everything until a map removed it, and the last current member lost its memory
   * before it followed that map.
   */
  private static boolean neverLeftOut(Group before, Group now, Group.Member member) {
    Group.Member then = before.member(member.seat());
    if (then == null || then.incarnation() != member.incarnation()) return false;
    if (then.held().what() != Group.Held.What.ALL) return false;
    for (Group.Member last : before.members()) {
      Group.Member since = now.member(last.seat());
      boolean lost = since != null && since.incarnation() != last.incarnation();
      if (last.current() && !lost) return false;
    }
    return true;
  }

  /**
   * Whether all members lost their memory since the last check, and one continues with its forced
   * data (P11). {@link CurrencyAudit} checks that no forced data is missing there.
   */
  private static boolean goesOnAfterLoss(Group before, Group now) {
    return now.currentMembers() == 1 && now.restoration().epoch() > before.restoration().epoch();
  }

  /** Whether a home reported it in one of the epochs since the last check. */
  private boolean complete(Group before, Group now, Group.Member member) {
    // Epochs are far apart after a recovery.
    return complete.stream()
        .filter(told -> told.epoch() >= before.epoch() && told.epoch() < now.epoch())
        .anyMatch(
            told ->
                told.equals(
                    new Maps.MemberComplete(
                        now.id(), told.epoch(), member.seat(), member.incarnation())));
  }
}
