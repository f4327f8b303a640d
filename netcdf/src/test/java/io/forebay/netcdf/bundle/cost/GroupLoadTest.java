// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.bundle.plan.Bounds;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.netcdf.format.ElementType;
import java.nio.LongBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupLoadTest {
  private static final Grid GRID = new Grid("lat", 4, "lon", 8);
  private static final int PLANE_BYTES = 4 * 8 * Float.BYTES;
  private static final int[] NODES = {0, 0, 1, 1};

  /** Four ranks on two nodes write one file of eight planes. */
  private static GroupLoad load(Scheme scheme, int aggregators) {
    Bundle bundle =
        Bundle.named("b", GRID).levels("lev", 8).variable("v", ElementType.FLOAT, "lev").build();
    List<Block> blocks =
        IntStream.range(0, NODES.length)
            .mapToObj(rank -> Blocks.even(GRID, NODES.length, rank))
            .toList();
    StepPlan plan =
        StepPlan.of(
            scheme,
            NODES,
            List.of(bundle),
            List.of(blocks),
            Bounds.of(1 << 20),
            group -> aggregators);
    return GroupLoad.of(plan.groups().getFirst(), NODES);
  }

  @Test
  void theRootReceivesItsPlanesAndGathersTheOthers() {
    GroupLoad load = load(Scheme.BPS, 1);
    // It holds two planes, to which all ranks send; three members hold the others.
    assertThat(load.nearMessages() + load.farMessages()).isEqualTo(3 + 3);
    assertThat(load.nearBytes() + load.farBytes())
        .isBetween(8L * PLANE_BYTES - 2, 8L * PLANE_BYTES + 2);
    assertThat(load.nearMessages()).as("one of three other ranks is near").isEqualTo(2);
    assertThat(load.files()).isEqualTo(1);
    assertThat(load.writerBytes()).isEqualTo(8 * PLANE_BYTES);
  }

  @Test
  void sharesOfAllPlanesComeFromFewRanks() {
    GroupLoad load = load(Scheme.IPS, 1);
    assertThat(load.nearMessages() + load.farMessages()).as("members are all ranks").isEqualTo(3);
  }

  @Test
  void aggregatorsShareTheWrites() {
    assertThat(load(Scheme.BPS, 2).writerBytes()).isEqualTo(4 * PLANE_BYTES);
  }

  @Test
  void numbersAreReadAsTheyWereWritten() {
    GroupLoad load = new GroupLoad(1, 2, 3, 4, 5, 6);
    LongBuffer numbers = LongBuffer.allocate(GroupLoad.NUMBERS);
    load.write(numbers);
    assertThat(numbers.hasRemaining()).isFalse();
    assertThat(GroupLoad.read(numbers.flip())).isEqualTo(load);
  }
}
