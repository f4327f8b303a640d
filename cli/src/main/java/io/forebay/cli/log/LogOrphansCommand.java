// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.server.ring.SharedMemory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.directory.OrphanMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds memory segments whose log is gone, and removes them on request. */
@Command(
    name = "orphans",
    description = {
      "Find memory segments in shared memory whose server's directory was deleted.",
      "Memory that a process has open, or that the next start of a server needs, is never removed."
    },
    footer = {
      "",
      "Run it where the servers' directories can be seen: a container may not show those of"
          + " others.",
      "Exit codes: 0 there are no orphans, or they were removed, 1 some are left, or it failed."
    })
final class LogOrphansCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--memory-root",
      paramLabel = "DIR",
      description = "Where servers keep their memory (default: /dev/shm).")
  private Path root = SharedMemory.DIRECTORY;

  @Option(names = "--remove", description = "Remove the orphans.")
  private boolean remove;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try {
      List<OrphanMemory> found = OrphanMemory.find(root.toAbsolutePath());
      List<OrphanMemory> orphans =
          found.stream().filter(each -> each.state() == OrphanMemory.State.ORPHAN).toList();
      if (remove) {
        for (OrphanMemory orphan : orphans) OrphanMemory.remove(orphan);
      }
      if (json) out.println(Json.write(tree(found)));
      else print(found, orphans, out);
      out.flush();
      return orphans.isEmpty() || remove ? 0 : 1;
    } catch (LogUnavailable e) {
      throw new CommandFailed(e.sentence(), e);
    }
  }

  private void print(List<OrphanMemory> found, List<OrphanMemory> orphans, PrintWriter out) {
    if (!found.isEmpty()) {
      Table table = new Table(3, "state", "memory", "log", "size");
      for (OrphanMemory each : found) {
        table.row(
            word(each.state()),
            each.directory().toString(),
            each.log() == null ? "-" : String.valueOf(each.log()),
            Brief.size(each.bytes()));
      }
      table.print(out);
      out.println();
    }
    long bytes = orphans.stream().mapToLong(OrphanMemory::bytes).sum();
    String what = Brief.counted(orphans.size(), "orphan") + ", " + ByteSize.format(bytes);
    if (orphans.isEmpty()) out.println("no orphans in " + root);
    else out.println(remove ? what + " removed" : what + "; --remove removes them");
  }

  private List<Object> tree(List<OrphanMemory> found) {
    List<Object> all = new ArrayList<>();
    for (OrphanMemory each : found) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("memory", each.directory().toString());
      one.put("log", each.log() == null ? null : String.valueOf(each.log()));
      one.put("bytes", each.bytes());
      one.put("state", word(each.state()));
      one.put("removed", remove && each.state() == OrphanMemory.State.ORPHAN);
      all.add(one);
    }
    return all;
  }

  private static String word(OrphanMemory.State state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
