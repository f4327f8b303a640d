// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of every kind; nothing here depends on how fast they are. */
class IorRunTest {
  private static final IorOption[] CHECKED = {
    IorOption.CHECK_WRITE, IorOption.CHECK_READ, IorOption.REORDER
  };

  @TempDir private Path directory;

  private static IorLayout layout(boolean filePerTask, boolean random) {
    return new IorLayout(3, 4096, 1024, 2, filePerTask, random, 7);
  }

  private IorTarget posix() {
    return new IorTarget(IorTarget.Api.POSIX, directory.toString(), "file");
  }

  private static IorOutcome run(IorPlan plan, IorTarget target) throws Exception {
    try (IorRun run = IorRun.ofThreads(plan, target)) {
      return run.run(() -> {}, what -> {});
    }
  }

  private static void sound(IorOutcome outcome) {
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.measurements())
        .extracting(Measurement::access)
        .containsExactly("write", "read");
    for (Measurement each : outcome.measurements()) {
      assertThat(each.mibPerSecond()).isPositive();
      assertThat(each.totalSeconds()).isGreaterThanOrEqualTo(each.moveSeconds());
    }
  }

  @Test
  void overADirectoryInEveryLayout() throws Exception {
    for (boolean own : new boolean[] {false, true}) {
      for (boolean random : new boolean[] {false, true}) {
        sound(run(IorPlan.once(layout(own, random), CHECKED), posix()));
      }
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void overTheSlowProfileWithForces() throws Exception {
    IorTarget slow = new IorTarget(IorTarget.Api.SLOW, directory.toString(), "file");
    IorPlan plan = IorPlan.once(layout(true, false), IorOption.FSYNC_PER_WRITE, IorOption.FSYNC);
    IorOutcome outcome = run(plan, slow);
    sound(outcome);
    assertThat(outcome.measurements().getFirst().moveSeconds())
        .as("16 calls of 0.5 ms by each task, and one more")
        .isGreaterThan(0.0085);
  }

  @Test
  void theFileIsAsLongAsTheLayoutSays() throws Exception {
    IorPlan plan = IorPlan.once(layout(false, false), IorOption.WRITE, IorOption.KEEP);
    run(plan, posix());
    assertThat(directory.resolve("file")).hasSize(3 * 4096 * 2);
  }

  @Test
  void aDamagedByteIsFound() throws Exception {
    run(IorPlan.once(layout(false, false), IorOption.WRITE, IorOption.KEEP), posix());
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("file").toFile(), "rw")) {
      file.seek(5000);
      int was = file.read();
      file.seek(5000);
      file.write(was ^ 1);
    }
    IorOutcome outcome = run(IorPlan.once(layout(false, false), IorOption.CHECK_READ), posix());
    assertThat(outcome.wrong()).isOne();
    assertThat(left()).as("who only reads removes nothing").containsExactly("file");
  }

  @Test
  void aFileOfSomebodyElseIsNotTouched() throws Exception {
    Files.writeString(directory.resolve("file"), "mine");
    assertThatThrownBy(() -> run(IorPlan.once(layout(false, false)), posix()))
        .isInstanceOf(BenchmarkImpossible.class)
        .hasMessageContaining("'file' exists");
    assertThat(directory.resolve("file")).hasContent("mine");
    sound(run(IorPlan.once(layout(false, false), IorOption.EXISTING), posix()));
  }

  @Test
  void aMissingFileIsNamedWhateverTheOthersDo() {
    IorPlan plan = IorPlan.once(layout(true, false), IorOption.READ, IorOption.BARRIERS);
    assertThatThrownBy(() -> run(plan, posix()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("file.0000000");
  }

  @Test
  void iterationsAndBarriers() throws Exception {
    IorPlan plan =
        new IorPlan(layout(false, false), Set.of(IorOption.WRITE, IorOption.BARRIERS), 3, 0);
    IorOutcome outcome = run(plan, posix());
    assertThat(outcome.measurements()).extracting(Measurement::iteration).containsExactly(0, 1, 2);
    IorOutcome.Summary summary = outcome.summaries().getFirst();
    assertThat(summary.mean()).isBetween(summary.min(), summary.max());
    assertThat(outcome.results()).hasSize(1);
  }

  @Test
  void tasksAsProcesses() throws Exception {
    IorPlan plan =
        IorPlan.once(
            new IorLayout(2, 4096, 1024, 2, false, false, 7),
            IorOption.CHECK_WRITE,
            IorOption.READ,
            IorOption.BARRIERS);
    try (IorRun run = IorRun.ofProcesses(plan, posix(), directory)) {
      sound(run.run(() -> {}, what -> {}));
    }
    IorPlan missing = IorPlan.once(new IorLayout(1, 8, 8, 1, false, false, 7), IorOption.READ);
    try (IorRun run = IorRun.ofProcesses(missing, posix(), directory)) {
      assertThatThrownBy(() -> run.run(() -> {}, what -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("rank 0 failed");
    }
  }

  @Test
  void overAClusterMadeForTheRun() throws Exception {
    IorLayout layout = layout(false, true);
    IorCluster.Shape shape = new IorCluster.Shape(2, 2, PlacementSpec.Kind.ISOLATED, false);
    try (IorCluster cluster = IorCluster.start(shape, layout, directory)) {
      IorTarget target = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(), "/file");
      sound(run(IorPlan.once(layout, CHECKED), target));
      cluster.awaitEmpty();
    }
    assertThat(left()).isEmpty();
  }

  private String[] left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toArray(String[]::new);
    }
  }
}
