// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.managers;

import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What people and programs read about the managers of a cluster. */
public final class ManagersText {
  /** Managers answer the leader several times a second. */
  private static final long SILENT_NANOS_MIN = 3_000_000_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  private ManagersText() {}

  /** One sentence. */
  public static String sentence(List<Statuses.ManagerSeen> managers) {
    if (managers.size() < 2) {
      return "managers: 1; while it is away, no server can join, leave or be replaced";
    }
    List<String> all = new ArrayList<>();
    for (Statuses.ManagerSeen each : managers) {
      if (each.leads()) all.addFirst(each.name() + " leads");
      else all.add(each.name() + (isWell(each) ? "" : " (" + state(each) + ")"));
    }
    return "managers: " + String.join(", ", all) + loss(managers);
  }

  /** What another loss would mean. */
  private static String loss(List<Statuses.ManagerSeen> managers) {
    long answering = managers.stream().filter(each -> !isSilent(each)).count();
    return 2 * (answering - 1) > managers.size()
        ? ""
        : "; if one more is lost, no server can join, leave or be replaced";
  }

  private static boolean isSilent(Statuses.ManagerSeen manager) {
    return manager.silentNanos() > SILENT_NANOS_MIN;
  }

  private static boolean isWell(Statuses.ManagerSeen manager) {
    return !isSilent(manager) && manager.behind() <= 0;
  }

  /** How a manager is, in a few words. */
  static String state(Statuses.ManagerSeen manager) {
    if (manager.leads()) return "leads";
    if (isSilent(manager)) {
      return String.format(
          Locale.ROOT, "silent for %.0f s", manager.silentNanos() / NANOS_PER_SECOND);
    }
    if (manager.behind() < 0) return "unknown";
    if (manager.behind() == 0) return "follows";
    return manager.behind() + (manager.behind() == 1 ? " entry behind" : " entries behind");
  }

  /** For programs. */
  public static List<Object> json(List<Statuses.ManagerSeen> managers) {
    List<Object> all = new ArrayList<>();
    for (Statuses.ManagerSeen each : managers) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", each.name());
      one.put("address", each.address());
      one.put("leads", each.leads());
      one.put("entriesBehind", each.behind() < 0 ? null : each.behind());
      one.put("silentNanos", each.silentNanos() < 0 ? null : each.silentNanos());
      all.add(one);
    }
    return all;
  }
}
