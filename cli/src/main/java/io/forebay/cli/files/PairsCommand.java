// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Forebay;
import io.forebay.client.Pairs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists keys. */
@Command(name = "pairs", description = "List keys, in order.")
public final class PairsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "PREFIX",
      arity = "0..1",
      defaultValue = "",
      description = "Only keys that begin with it.")
  private String prefix = "";

  @Option(names = "-l", description = "Show the size of each value and its time too.")
  private boolean details;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Forebay forebay = remote.instance()) {
      Iterator<Pairs.Entry> entries = forebay.pairs().list(prefix);
      if (json) out.println(Json.write(all(entries)));
      else entries.forEachRemaining(entry -> out.println(details ? line(entry) : entry.key()));
    }
    out.flush();
    return 0;
  }

  private static String line(Pairs.Entry entry) {
    return "%9s  %s  %s"
        .formatted(
            ByteSize.format(entry.sizeBytes()), FileText.time(entry.modifyTime()), entry.key());
  }

  private static List<Object> all(Iterator<Pairs.Entry> entries) {
    List<Object> all = new ArrayList<>();
    while (entries.hasNext()) {
      Pairs.Entry entry = entries.next();
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("key", entry.key());
      json.put("sizeBytes", entry.sizeBytes());
      json.put("modifyTime", entry.modifyTime().toString());
      all.add(json);
    }
    return all;
  }
}
