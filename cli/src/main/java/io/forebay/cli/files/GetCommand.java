// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.files.copy.Streams;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.OrderlyEnd;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Forebay;
import io.forebay.client.ValueStream;
import io.forebay.client.failure.ValueReplacedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the value of a key. */
@Command(name = "get", description = "Read the value that is kept under a key.")
public final class GetCommand implements Callable<Integer> {
  /** How often a value that is replaced while it is read is read again. */
  private static final int READS_MAX = 16;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "KEY", description = "The key.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "-",
      description = "Where the value goes; - for standard output, the default.")
  private String file = "-";

  @Override
  public Integer call() throws IOException {
    remote.key(key);
    try (Forebay forebay = remote.instance()) {
      if (file.equals("-")) {
        try (ValueStream value = open(forebay)) {
          Streams.toStandardOutput(value);
        }
      } else {
        toFile(forebay);
      }
    }
    return 0;
  }

  private void toFile(Forebay forebay) throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    // Begun first, closed last: when this process is stopped, a partial file is removed before it
    // ends.
    try (OrderlyEnd end = OrderlyEnd.begin();
        WholeFile target = WholeFile.at(Path.of(file));
        Progress progress = Progress.of("reading", spec.commandLine().getErr())) {
      int reads = 1;
      while (!isRead(forebay, target, progress, reads == READS_MAX, end)) reads++;
      end.check();
      target.keep();
    }
  }

  /** Reads it; false if another value has replaced it and a retry is worthwhile. */
  private boolean isRead(
      Forebay forebay, WholeFile target, Progress progress, boolean last, OrderlyEnd end)
      throws IOException {
    try (ValueStream value = open(forebay);
        OutputStream to = target.begin()) {
      Streams.copy(value, to, Streams.shownBy(progress, value.sizeBytes()), end::check);
      return true;
    } catch (ValueReplacedException e) {
      if (last || !target.repeatable()) throw e;
      return false;
    }
  }

  private ValueStream open(Forebay forebay) throws IOException {
    ValueStream value = forebay.pairs().open(key);
    if (value == null) {
      throw new CommandFailed(
          "there is no value under '" + key + "'; 'forebay pairs' lists the keys");
    }
    return value;
  }
}
