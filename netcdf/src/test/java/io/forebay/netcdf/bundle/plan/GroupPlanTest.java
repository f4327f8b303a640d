// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.format.ElementType;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupPlanTest {
  /** What is sent, held, gathered and written is the same bytes, within the bounds. */
  @ParameterizedTest
  @EnumSource(Scheme.class)
  void everyByteIsSentHeldAndWrittenOnce(Scheme scheme) {
    SplittableRandom random = new SplittableRandom(TestSeed.next("everyByteIsSent"));
    for (int i = 0; i < 60; i++) check(scheme, random);
  }

  private static void check(Scheme scheme, SplittableRandom random) {
    int ranks = 1 + random.nextInt(12);
    int[] nodes = new int[ranks];
    int perNode = 1 + random.nextInt(4);
    for (int rank = 0; rank < ranks; rank++) nodes[rank] = rank / perNode;
    List<Bundle> bundles = randomBundles(random);
    List<List<Block>> blocks = new ArrayList<>();
    for (Bundle bundle : bundles) {
      List<Block> ofBundle = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        ofBundle.add(Blocks.even(bundle.grid(), ranks, rank));
      }
      blocks.add(ofBundle);
    }
    Bounds bounds = Bounds.of(500 + random.nextInt(20_000));
    int aggregators = 1 + random.nextInt(4);
    StepPlan plan = StepPlan.of(scheme, nodes, bundles, blocks, bounds, group -> aggregators);
    long written = 0;
    for (GroupPlan group : plan.groups()) {
      for (int round = 0; round < group.rounds(); round++) {
        written += checkRound(group, round, ranks, bounds);
      }
    }
    long total = 0;
    for (Bundle bundle : bundles) total += bundle.planeBytes();
    assertThat(written).isEqualTo(total);
  }

  private static long checkRound(GroupPlan group, int round, int ranks, Bounds bounds) {
    long strips = group.stripBytes(group.firstStrip(round), group.endStrip(round));
    long sent = 0;
    for (int member = 0; member < group.group().size(); member++) {
      long received = 0;
      for (int rank = 0; rank < ranks; rank++) received += group.sentBytes(round, member, rank);
      assertThat(received).isEqualTo(group.receivedBytes(round, member));
      assertThat(received).isLessThanOrEqualTo(bounds.heldBytes());
      sent += received;
    }
    assertThat(sent).isEqualTo(strips);
    long written = 0;
    int next = group.firstStrip(round);
    for (Window window : group.windows(round)) {
      assertThat(window.first()).isEqualTo(next);
      assertThat(window.end()).isGreaterThan(window.first());
      next = window.end();
      long bytes = group.stripBytes(window.first(), window.end());
      assertThat(bytes).isLessThanOrEqualTo(bounds.windowBytes());
      assertThat(group.isAggregator(window.aggregator())).isTrue();
      long contributed = 0;
      for (int member = 0; member < group.group().size(); member++) {
        contributed += group.contributedBytes(window, member);
      }
      assertThat(contributed).isEqualTo(bytes);
      written += bytes;
    }
    assertThat(next).isEqualTo(group.endStrip(round));
    assertThat(written).isEqualTo(strips);
    return written;
  }

  private static List<Bundle> randomBundles(SplittableRandom random) {
    List<Bundle> bundles = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Grid grid = new Grid("y", 1 + random.nextInt(30), "x", 1 + random.nextInt(60));
      Bundle.Builder builder =
          Bundle.named("b" + i, grid)
              .levels("l", 1 + random.nextInt(6))
              .variable("deep", ElementType.FLOAT, "l");
      if (random.nextBoolean()) builder.variable("flat", ElementType.DOUBLE);
      if (random.nextBoolean()) builder.variable("bytes", ElementType.BYTE, "l");
      bundles.add(builder.build());
    }
    return bundles;
  }

  /** Figure 7 of the paper: 5, 3 and 1 ranks; each member hears of at most the ranks outside. */
  @Test
  void sharesComeFromTheRanksThatCorrespond() {
    Grid grid = new Grid("y", 9, "x", 1);
    List<Bundle> bundles = new ArrayList<>();
    for (int planes : new int[] {5, 3, 1}) {
      bundles.add(
          Bundle.named("b" + planes, grid)
              .levels("l", planes)
              .variable("v", ElementType.INT, "l")
              .build());
    }
    List<Block> blocks = new ArrayList<>();
    for (int rank = 0; rank < 9; rank++) blocks.add(new Block(rank, 1, 0, 1));
    StepPlan plan =
        StepPlan.of(
            Scheme.IPS,
            new int[9],
            bundles,
            List.of(blocks, blocks, blocks),
            Bounds.of(1 << 20),
            group -> 1);
    GroupPlan first = plan.groups().getFirst();
    assertThat(first.group().ranks()).containsExactly(0, 1, 2, 3, 4);
    for (int member = 0; member < 5; member++) {
      List<Integer> others = new ArrayList<>(first.sources(member));
      others.removeAll(first.group().ranks());
      assertThat(first.sources(member)).contains(member);
      assertThat(others).hasSizeLessThanOrEqualTo(1);
    }
    GroupPlan last = plan.groups().get(2);
    assertThat(last.sources(0)).hasSize(9);
  }
}
