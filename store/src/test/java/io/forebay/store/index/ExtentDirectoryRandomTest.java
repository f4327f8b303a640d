// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.RecordId;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random operations, in an order that is not that of their publish numbers. */
final class ExtentDirectoryRandomTest {
  private static final String SEED_PROPERTY = "forebay.seed";
  private static final int SESSIONS = 40;
  private static final int GROUPS = 3;

  /** How far publish numbers stray from the order in which the operations come. */
  private static final int PUBLISH_SPREAD = 20;

  @Test
  void smallFilesMatchTheModel() {
    runSeeds(400, new Shape(300, 60, 150));
  }

  @Test
  void filesOfManyLeavesMatchTheModel() {
    runSeeds(3, new Shape(6_000, 5, 8_000));
  }

  /** How large the file and its records are, and how many operations hit it. */
  private record Shape(int fileBytes, int recordBytesMax, int operations) {}

  private static void runSeeds(int runs, Shape shape) {
    long first = TestSeed.first("ExtentDirectoryRandomTest");
    Random seeds = new Random(first);
    for (int run = 0; run < TestSeed.runs(runs); run++) {
      long seed = run == 0 ? first : seeds.nextLong();
      try {
        new Run(shape, seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("failed with -D" + SEED_PROPERTY + "=" + seed, e);
      }
    }
  }

  private static final class Run {
    private final Shape shape;
    private final Random random;
    private final ExtentDirectoryModel model;
    private final List<Extent> published = new ArrayList<>();
    private long step;
    private long lastTruncation = -1;

    Run(Shape shape, long seed) {
      this.shape = shape;
      this.random = new Random(seed);
      this.model = new ExtentDirectoryModel(shape.fileBytes);
    }

    void run() {
      // Rare enough that the file fills up in between, whatever its size.
      int compareEvery = Math.max(1, shape.operations / 150);
      for (step = 0; step < shape.operations; step++) {
        operate(random.nextInt(1_000));
        if (step % compareEvery == 0) {
          model.compare(random.nextInt(shape.fileBytes), random.nextInt(shape.fileBytes));
        }
      }
      model.compare(0, shape.fileBytes);
      model.clear();
      model.compare(0, shape.fileBytes);
    }

    private void operate(int dice) {
      int truncateOdds = Math.max(1, 5_000 / shape.operations);
      if (dice < truncateOdds) {
        truncate();
      } else if (dice < 100 && !published.isEmpty()) {
        model.publish(published.get(random.nextInt(published.size())));
      } else if (dice < 200 && !published.isEmpty()) {
        publish(pieceOf(published.get(random.nextInt(published.size()))));
      } else if (dice < 210) {
        int from = random.nextInt(shape.fileBytes);
        model.punch(from, from + random.nextInt(shape.fileBytes - from + 1));
      } else if (dice < 230) {
        publish(newExtent(shape.recordBytesMax * 5));
      } else {
        publish(newExtent(shape.recordBytesMax));
      }
      if (dice == 999 && shape.operations < 1_000) {
        model.clear();
        published.clear();
        lastTruncation = -1;
      }
    }

    private void publish(Extent extent) {
      published.add(extent);
      model.publish(extent);
    }

    private Extent newExtent(int bytesMax) {
      int length = 1 + random.nextInt(Math.min(bytesMax, shape.fileBytes));
      int offset = random.nextInt(shape.fileBytes - length + 1);
      RecordId record = new RecordId(random.nextInt(SESSIONS), step);
      return new Extent(offset, length, record, 0, length, randomPublish(), random.nextInt(GROUPS));
    }

    /** Part of a record known already, under its own publish number or another. */
    private Extent pieceOf(Extent extent) {
      long from = extent.offset() + random.nextInt(extent.lengthBytes());
      long to = from + 1 + random.nextInt((int) (extent.endOffset() - from));
      Extent piece = extent.cut(from, to);
      if (random.nextBoolean()) return piece;
      return new Extent(
          piece.offset(),
          piece.lengthBytes(),
          piece.record(),
          piece.recordOffset(),
          piece.recordBytes(),
          randomPublish(),
          piece.group());
    }

    private long randomPublish() {
      return Math.max(0, step - random.nextInt(PUBLISH_SPREAD));
    }

    private void truncate() {
      long publish = Math.max(lastTruncation + 1, randomPublish());
      lastTruncation = publish;
      model.truncate(publish, random.nextInt(shape.fileBytes));
    }
  }
}
