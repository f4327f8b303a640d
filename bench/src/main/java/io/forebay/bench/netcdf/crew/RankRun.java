// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.netcdf.mode.Destination;
import io.forebay.bench.netcdf.mode.ModeFiles;
import io.forebay.bench.netcdf.pattern.Elements;
import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.Statistics;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.data.Values;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One rank's part of a trial, for all kinds of ranks. One rank's thread. */
final class RankRun {
  private final Group group;
  private final Trial trial;
  private final Pattern pattern;
  private final Elements elements;
  private final ModeFiles files;
  private @Nullable Statistics statistics;
  private int puts;

  private RankRun(Group group, Trial trial, Elements elements, ModeFiles files) {
    this.group = group;
    this.trial = trial;
    this.elements = elements;
    this.files = files;
    pattern = trial.pattern();
  }

  /** Writes the pattern once; collective. Every rank gets the combined results. */
  static Measured run(Group group, Trial trial) throws IOException {
    try (Arena arena = Arena.ofShared();
        Destination destination =
            trial.store() == Store.SLOW
                ? Destination.slow(trial.places().directory())
                : Destination.plain();
        ModeFiles files = new ModeFiles(group, trial.mode(), trial.places(), destination)) {
      Elements elements = new Elements(trial.pattern(), group.rank(), arena);
      RankRun run = new RankRun(group, trial, elements, files);
      group.barrier();
      long start = System.nanoTime();
      run.write();
      files.await();
      long totalNanos = System.nanoTime() - start;
      Statistics mine = run.statistics;
      if (mine == null) throw new IllegalStateException("nothing was written");
      // Also keeps all ranks here until no rank needs the shared device any more.
      return Measured.together(
          group, totalNanos, mine, destination.writes(), destination.writtenBytes());
    }
  }

  private void write() throws IOException {
    for (int number = 0; number < pattern.files().size(); number++) {
      NetcdfFile file = files.create(pattern.files().get(number).name());
      write(file, number);
      // Bytes in a device's cache have not reached it.
      if (trial.places().forced()) file.sync();
      file.close();
      Statistics one = file.statistics();
      statistics = statistics == null ? one : statistics.plus(one);
    }
  }

  private void write(NetcdfFile file, int number) throws IOException {
    Pattern.Shape shape = pattern.files().get(number);
    List<VariableId> variables = shape.define(file);
    pattern.puts(
        number,
        group.rank(),
        put -> {
          compute();
          long count = put.part().elements();
          Values values = elements.of(shape.variables().get(put.variable()).type(), puts++, count);
          file.putAll(variables.get(put.variable()), Selection.list(List.of(put.part())), values);
        });
  }

  private void compute() throws IOException {
    if (trial.computeMillis() == 0) return;
    try {
      TimeUnit.MILLISECONDS.sleep(trial.computeMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
