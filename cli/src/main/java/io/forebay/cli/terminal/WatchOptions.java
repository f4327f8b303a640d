// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import io.forebay.base.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** For commands that show something once, or repeatedly until they are interrupted. */
public final class WatchOptions {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "1",
      defaultValue = "0",
      paramLabel = "SECONDS",
      description = "Show it again every second, or at the given interval, until Ctrl-C.")
  private double watchSeconds;

  @Option(names = "--json", description = "Print everything as JSON, one line each time.")
  private boolean json;

  /** One observation, given the one before. */
  public interface Look<T> {
    T after(@Nullable T before) throws IOException;
  }

  /** Prints each observation, for programs or for people. */
  public <T> void show(
      PrintWriter out, Look<T> look, Function<T, Object> toJson, Consumer<T> toPeople)
      throws IOException {
    T seen = null;
    try {
      while (true) {
        seen = look.after(seen);
        if (json) {
          out.println(Json.write(toJson.apply(seen)));
        } else {
          if (watchSeconds > 0 && Progress.onTerminal()) out.print(CLEAR_SCREEN);
          toPeople.accept(seen);
        }
        out.flush();
        if (watchSeconds <= 0) return;
        TimeUnit.NANOSECONDS.sleep((long) (watchSeconds * 1e9));
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
