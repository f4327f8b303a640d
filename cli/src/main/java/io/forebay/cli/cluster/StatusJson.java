// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.managers.ManagersText;
import io.forebay.client.host.HostName;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster's complete status for programs. */
final class StatusJson {
  private StatusJson() {}

  static Map<String, Object> of(ClusterStatus now, @Nullable ClusterStatus before) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cluster", "%016x".formatted(now.map().cluster()));
    json.put("term", now.map().term());
    json.put("epoch", now.map().epoch());
    json.put("insecure", now.isInsecure());
    json.put("manager", manager(now.manager()));
    json.put("intervalNanos", before == null ? null : now.nanos() - before.nanos());
    List<Object> seats = new ArrayList<>();
    List<SeatEntry> ring = now.map().seats();
    for (int i = 0; i < ring.size(); i++) {
      SeatEntry next = ring.get((i + 1) % ring.size());
      SeatEntry previous = ring.get((i + ring.size() - 1) % ring.size());
      Map<String, Object> seat = seat(ring.get(i), now);
      seat.put("place", i);
      seat.put("predecessor", previous.id().number());
      seat.put("successor", next.id().number());
      seats.add(seat);
    }
    json.put("seats", seats);
    json.put("groups", now.map().groups().stream().map(StatusJson::group).toList());
    MemberChanges changes = MemberChanges.of(now.map());
    json.put("groupsBelowCopies", changes.belowCopies());
    json.put("groupsUnavailable", changes.waiting());
    json.put("groupsChanging", changes.changing());
    json.put("groupsToMove", changes.toMove());
    json.put("writeProtection", now.protections());
    json.put("instances", now.map().instances().stream().map(InstanceListCommand::json).toList());
    return json;
  }

  private static Map<String, Object> manager(Statuses.ManagerStatus manager) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("state", manager.state());
    json.put("term", manager.term());
    json.put("managers", ManagersText.json(manager.managers()));
    json.put("expectedServers", manager.expected());
    json.put("arrivedServers", manager.arrived());
    json.put("insecure", manager.insecure());
    json.put("refused", manager.refused());
    List<Object> seen = new ArrayList<>();
    for (Statuses.SeatSeen each : manager.seats()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("seat", each.seat().number());
      one.put("silentNanos", each.silentNanos());
      one.put("epoch", each.ringEpoch());
      seen.add(one);
    }
    json.put("seats", seen);
    json.put("limits", limits(manager.limits()));
    return json;
  }

  private static Map<String, Object> seat(SeatEntry seat, ClusterStatus now) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seat", seat.id().number());
    json.put("server", seat.server());
    json.put("host", HostName.nameIn(seat.host()));
    json.put("addresses", seat.addresses());
    json.put("weight", seat.weight());
    json.put("away", seat.away());
    json.put("stay", seat.stay().name().toLowerCase(Locale.ROOT));
    Statuses.SeatStatus status = now.of(seat.id());
    json.put("answers", status != null);
    if (status == null) {
      json.put("problem", now.silent().get(seat.id()));
      return json;
    }
    json.put("incarnation", "%016x".formatted(status.incarnation()));
    json.put("epoch", status.ringEpoch());
    json.put("upNanos", status.upNanos());
    json.put("memoryUsedBytes", status.memory().usedBytes());
    json.put("memoryBytes", status.memory().totalBytes());
    json.put("memoryMissingBytes", status.memory().missingBytes());
    json.put("memoryAnonymousBytes", status.memory().anonymousBytes());
    json.put("ssdUsedBytes", status.ssd().usedBytes());
    json.put("ssdBytes", status.ssd().totalBytes());
    json.put("records", status.records());
    json.put("liveBytes", status.liveBytes());
    json.put("connections", status.clients());
    json.put("insecure", status.insecure());
    json.put("state", status.state());
    json.put("pressure", status.pressure());
    json.put("counters", counters(status.counters()));
    json.put("limits", limits(status.limits()));
    json.put("groups", status.groups().stream().map(StatusJson::membership).toList());
    return json;
  }

  /** How often peers have reached each limit; docs/security.md explains them. */
  private static Map<String, Object> limits(List<Statuses.LimitCount> counts) {
    Map<String, Object> json = new LinkedHashMap<>();
    for (Statuses.LimitCount count : counts) json.put(count.limit(), count.reached());
    return json;
  }

  private static Map<String, Object> counters(Statuses.Counters counters) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("puts", counters.puts());
    json.put("putBytes", counters.putBytes());
    json.put("copies", counters.copies());
    json.put("copyBytes", counters.copyBytes());
    json.put("gets", counters.gets());
    json.put("getBytes", counters.getBytes());
    json.put("nameOps", counters.nameOps());
    json.put("refused", counters.refused());
    json.put("redirected", counters.redirected());
    json.put("swept", counters.swept());
    json.put("corrupt", counters.corrupt());
    json.put("repaired", counters.repaired());
    json.put("lost", counters.lost());
    json.put("scrubbedBytes", counters.scrubbedBytes());
    json.put("drainWrites", counters.drainWrites());
    json.put("drainedBytes", counters.drainedBytes());
    json.put("shuffleBytes", counters.shuffleBytes());
    json.put("ssdWrittenBytes", counters.ssdBytes());
    return json;
  }

  private static Map<String, Object> membership(Statuses.GroupStatus status) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("group", status.group().origin().number() + "x" + status.group().copies());
    json.put("epoch", status.epoch());
    json.put("role", status.role());
    json.put("state", status.state());
    json.put("journalFirst", status.journalFirst());
    json.put("journalLast", status.journalLast());
    json.put("leaseNanos", status.leaseNanos());
    json.put("sessions", status.sessions());
    json.put("putsUnderWay", status.putsUnderWay());
    json.put("repairBytes", status.repairBytes());
    json.put("repairedBytes", status.repairedBytes());
    return json;
  }

  private static Map<String, Object> group(Group group) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("group", group.id().origin().number() + "x" + group.id().copies());
    json.put("epoch", group.epoch());
    List<Object> members = new ArrayList<>();
    for (Group.Member member : group.members()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("seat", member.seat().number());
      one.put("current", member.current());
      one.put("resting", member.resting());
      members.add(one);
    }
    json.put("members", members);
    json.put("belowCopies", !group.isWhole());
    return json;
  }
}
