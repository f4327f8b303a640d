// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.client.Forebay;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the attributes of a file or directory. */
@Command(name = "stat", description = "Show the attributes of a file or directory.")
public final class StatCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "PATH",
      description = "The file or directory; a symbolic link is not followed.")
  private String path = "";

  @Option(names = "--json", description = "Print it as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    RemotePath target = remote.path(path);
    try (Forebay forebay = remote.connect(target)) {
      FileStat stat = forebay.stat(target.path(), false);
      if (json) out.println(Json.write(FileText.json(target.path(), stat)));
      else print(target, stat, out);
    }
    out.flush();
    return 0;
  }

  private static void print(RemotePath target, FileStat stat, PrintWriter out) {
    out.println(target);
    line(out, "kind", stat.kind().name().toLowerCase(Locale.ROOT));
    line(out, "size", ByteSize.format(stat.sizeBytes()) + exactly(stat.sizeBytes()));
    line(out, "stored", ByteSize.format(stat.allocatedBytes()) + exactly(stat.allocatedBytes()));
    if (stat.isSpecial()) line(out, "device", FileText.size(stat));
    line(out, "mode", FileText.mode(stat) + " (" + Integer.toOctalString(stat.mode()) + ")");
    line(out, "owner", "user " + stat.user() + ", group " + stat.group());
    line(out, "links", Integer.toString(stat.links()));
    line(out, "modified", FileText.time(stat.modifyTime()));
    line(out, "changed", FileText.time(stat.changeTime()));
    line(out, "accessed", FileText.time(stat.accessTime()));
    line(out, "version", Long.toString(stat.version()));
  }

  private static String exactly(long bytes) {
    return bytes < 1024 ? "" : " (" + bytes + " bytes)";
  }

  private static void line(PrintWriter out, String name, String value) {
    out.println("  %-9s %s".formatted(name, value));
  }
}
