// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.GroupId;
import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.Unavailability;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.checkpoint.LostRange;
import io.forebay.ring.RingMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the bytes of an instance that no server can deliver. */
@Command(
    name = "lost",
    description = "Search for bytes of files and pairs that no server can deliver.",
    footer = {"", "Exit codes: 0 nothing is lost, 1 something is or may be, or the search failed."})
public final class LostCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "INSTANCE",
      arity = "0..1",
      description = "The instance to search (default: the one of the URI).")
  private @Nullable String instance;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    List<LostRange> lost = new ArrayList<>();
    List<GroupId> restored;
    try (Cluster cluster = remote.cluster()) {
      requireGroups(cluster.map());
    }
    try (Forebay forebay = remote.instance(instance)) {
      forebay.findLost(lost::add);
      restored = forebay.restoredGroups();
    }
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("lost", lost.stream().map(LostCommand::tree).toList());
      all.put("restored", restored.stream().map(LostCommand::nameOf).toList());
      out.println(Json.write(all));
    } else {
      print(lost, restored, out);
    }
    out.flush();
    return lost.isEmpty() && restored.isEmpty() ? 0 : 1;
  }

  /** The contents of a group are unknown while it is unavailable. */
  private static void requireGroups(RingMap map) {
    List<String> obstacles =
        map.groups().stream()
            .filter(group -> group.currentMembers() == 0)
            .map(group -> Unavailability.of(map, group))
            .filter(Objects::nonNull)
            .toList();
    if (obstacles.isEmpty()) return;
    String more = obstacles.size() == 1 ? "" : " (and " + (obstacles.size() - 1) + " more)";
    throw new CommandFailed("it is unknown what is lost: " + obstacles.getFirst() + more);
  }

  private static void print(List<LostRange> lost, List<GroupId> restored, PrintWriter out) {
    if (!lost.isEmpty()) print(lost, out);
    else if (restored.isEmpty()) out.println("nothing is lost");
    for (GroupId group : restored) {
      out.println(
          "all servers of group "
              + nameOf(group)
              + " lost their memory at once: names and contents that were acknowledged before"
              + " without being forced may be missing");
    }
  }

  private static void print(List<LostRange> lost, PrintWriter out) {
    Table table = new Table(4, "file or key", "group", "since", "state", "from", "to");
    for (LostRange each : lost) {
      Instant since = each.since();
      table.row(
          each.name(),
          groupOf(each),
          since == null ? "" : FileText.time(since),
          stateOf(each),
          Long.toString(each.offset()),
          Long.toString(each.offset() + each.lengthBytes() - 1));
    }
    table.print(out);
  }

  private static String groupOf(LostRange lost) {
    return nameOf(lost.group());
  }

  private static String nameOf(GroupId group) {
    return group.origin().number() + "x" + group.copies();
  }

  /** Bytes that a seat without an answer may have do not count as lost. */
  private static String stateOf(LostRange lost) {
    return lost.awaited() ? "awaited" : "lost";
  }

  private static Map<String, Object> tree(LostRange lost) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(lost.pair() ? "key" : "file", lost.name());
    tree.put("offset", lost.offset());
    tree.put("lengthBytes", lost.lengthBytes());
    tree.put("group", groupOf(lost));
    tree.put("state", stateOf(lost));
    Instant since = lost.since();
    if (since != null) tree.put("since", since.toString());
    return tree;
  }
}
