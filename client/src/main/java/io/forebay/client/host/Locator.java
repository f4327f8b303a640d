// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.loop.ClientLoop;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds out which machines have which bytes of a file. */
public final class Locator {
  private static final int RUNS = 4096;

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;

  public Locator(ClientLoop loop, ClientCore core, Identity who) {
    this.loop = loop;
    this.core = core;
    this.who = who;
  }

  public List<Location> locate(long number, String path, long offset, long lengthBytes)
      throws IOException {
    RingMap map = loop.call(path, () -> CompletableFuture.completedFuture(core.map()));
    List<Location> found = new ArrayList<>();
    long at = offset;
    long end = offset + lengthBytes;
    while (at < end) {
      Names.FindRuns find = new Names.FindRuns(number, at, end - at, RUNS);
      Names.RunsAre runs = loop.call(path, () -> core.ask(who, root -> find, Names.RunsAre.class));
      end = Math.min(end, runs.sizeBytes());
      for (Names.Run run : runs.runs()) {
        long to = Math.min(end, run.offset() + run.lengthBytes());
        long from = Math.max(at, run.offset());
        if (from > at) add(found, at, from, List.of());
        if (to > from) add(found, from, to, hosts(map, run.group()));
        at = Math.max(at, to);
      }
      long told = Math.min(end, Math.max(runs.throughOffset(), at));
      if (told > at) add(found, at, told, List.of());
      else if (at < end && runs.runs().isEmpty()) break;
      at = told;
    }
    return found;
  }

  /** Runs of the same place that follow each other are one. */
  private static void add(List<Location> found, long from, long to, List<String> hosts) {
    int last = found.size() - 1;
    if (last >= 0) {
      Location before = found.get(last);
      if (before.hosts().equals(hosts) && before.offset() + before.lengthBytes() == from) {
        found.set(last, new Location(before.offset(), to - before.offset(), hosts));
        return;
      }
    }
    found.add(new Location(from, to - from, hosts));
  }

  private static List<String> hosts(RingMap map, GroupId id) {
    List<String> hosts = new ArrayList<>();
    Group group = map.group(id);
    if (group == null) return hosts;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      String host = seat == null ? null : HostName.nameIn(seat.host());
      if (host != null && !hosts.contains(host)) hosts.add(host);
    }
    return hosts;
  }
}
