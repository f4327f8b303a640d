// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.base.ByteSize;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.remote.WaitOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Forebay;
import io.forebay.client.durability.DrainProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for the files of one command, one instance after the other, and shows the progress. */
final class Waiting {
  /** The wait for one instance. */
  interface Wait {
    void await(
        Forebay instance,
        Collection<String> paths,
        Duration timeout,
        Consumer<DrainProgress> progress)
        throws IOException;
  }

  private static final int BAR_DETAIL_CHARS_MAX = 50;

  private final WaitOptions remote;
  private final List<String> paths;
  private final PrintWriter err;
  private final MonotonicClock clock = MonotonicClock.system();
  private @Nullable DrainProgress last;

  Waiting(WaitOptions remote, List<String> paths, PrintWriter err) {
    this.remote = remote;
    this.paths = paths;
    this.err = err;
  }

  /** Waits, and returns a line about what was waited for. */
  String run(Wait wait) throws IOException {
    Duration patience = remote.patience();
    long startNanos = clock.nanos();
    long files = 0;
    long bytes = 0;
    for (Map.Entry<String, List<RemotePath>> each : remote.byInstance(paths).entrySet()) {
      Duration left = patience.minusNanos(clock.nanos() - startNanos);
      List<String> inside = each.getValue().stream().map(RemotePath::path).toList();
      last = null;
      try (Forebay forebay = remote.connect(each.getValue().getFirst());
          Progress progress = Progress.of("draining", err).fromTheStart()) {
        wait.await(forebay, inside, left, now -> show(progress, now));
      }
      if (last == null) continue;
      files += last.files();
      bytes += last.bytes();
    }
    return "durable: %s after %s s"
        .formatted(
            what(files, bytes),
            String.format(Locale.ROOT, "%.1f", (clock.nanos() - startNanos) / 1e9));
  }

  private static String what(long files, long bytes) {
    return "%d %s, %s".formatted(files, files == 1 ? "file" : "files", ByteSize.format(bytes));
  }

  private void show(Progress progress, DrainProgress now) {
    // Printed once; on a terminal the bar shows it all the time.
    boolean first = last == null && now.filesDurable() < now.files() && !Progress.onTerminal();
    if (first) {
      err.println("waiting until the backing store has " + what(now.files(), now.bytes()));
      err.flush();
    }
    last = now;
    String detail = detail(now);
    progress.update(
        now.storedBytes(),
        now.bytes(),
        // A bar that does not fit on its line could not be drawn over itself.
        Progress.onTerminal() ? Brief.start(detail, BAR_DETAIL_CHARS_MAX) : detail);
  }

  /** Such as {@code 3 of 8 files, 1.2 GiB of 3 GiB, 180 MiB/s}. */
  static String detail(DrainProgress now) {
    StringBuilder text = new StringBuilder();
    if (now.files() > 1) {
      text.append(now.filesDurable()).append(" of ").append(now.files()).append(" files, ");
    }
    text.append(ByteSize.format(now.storedBytes()));
    text.append(" of ").append(ByteSize.format(now.bytes()));
    if (now.bytesPerSecond() > 0) {
      text.append(", ").append(ByteSize.format(now.bytesPerSecond())).append("/s");
    }
    if (!now.trouble().isEmpty()) text.append("; ").append(now.trouble());
    return text.toString();
  }
}
