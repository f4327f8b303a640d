// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.datawarp.StatusTables;
import io.forebay.job.datawarp.StatusTables.Kind;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code dwstat [-b] [TABLE…]} and {@code dwcli ls TABLE}: tables of what there is. A table is
 * named by its objects, in the singular or plural; {@code most} and {@code all} are several.
 */
public final class StatusCommands implements Command {
  private static final Set<Kind> MOST =
      EnumSet.of(Kind.POOLS, Kind.SESSIONS, Kind.INSTANCES, Kind.CONFIGURATIONS, Kind.ACTIVATIONS);

  private final JobService service;
  private final ZoneId zone;

  /**
   * Tables from a service.
   *
   * @param zone that times are shown in
   */
  public StatusCommands(JobService service, ZoneId zone) {
    this.service = service;
    this.zone = zone;
  }

  @Override
  public Answer run(Call call) {
    List<String> words = new ArrayList<>(call.arguments());
    if (call.program().equals("dwcli") && (words.isEmpty() || !words.removeFirst().equals("ls"))) {
      return Answer.misused(
          "dwcli only lists: write 'dwcli ls TABLE', and 'forebay instance' to change buffers");
    }
    boolean bytes = false;
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (String word : words) {
      if (word.equals("-b")) {
        bytes = true;
        continue;
      }
      Set<Kind> named = named(word);
      if (named.isEmpty()) {
        return Answer.misused(
            "%s knows no table '%s'; write pools, sessions, instances, configurations, activations,"
                    .formatted(call.program(), word)
                + " fragments, nodes, most or all");
      }
      kinds.addAll(named);
    }
    if (kinds.isEmpty()) kinds.add(Kind.POOLS);
    try {
      StatusTables tables = new StatusTables(service.registry(), bytes, zone);
      return Answer.of(String.join("\n", kinds.stream().map(tables::table).toList()));
    } catch (JobFailed e) {
      return Answer.failed(e.sentence());
    }
  }

  private static Set<Kind> named(String word) {
    if (word.equals("most")) return MOST;
    if (word.equals("all")) return EnumSet.allOf(Kind.class);
    for (Kind kind : Kind.values()) {
      String plural = kind.name().toLowerCase(Locale.ROOT);
      if (word.equals(plural) || (word + "s").equals(plural)) return EnumSet.of(kind);
    }
    return EnumSet.noneOf(Kind.class);
  }
}
