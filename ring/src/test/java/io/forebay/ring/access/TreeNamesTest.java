// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeNamesTest {
  private static Instance instance(Instance.Access access) {
    SeatId seat = new SeatId(1);
    return new Instance(
        1,
        "scratch",
        1000,
        100,
        Instance.Lifetime.PERSISTENT,
        access,
        0,
        1,
        false,
        Instance.WhenDegraded.CONTINUE,
        new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0),
        List.of(seat),
        GroupId.of(seat, 1),
        new DrainSpec("/store", "end"),
        "",
        Tenancy.OPEN,
        Allocation.NONE);
  }

  private static final Instance SHARED = instance(Instance.Access.SHARED);
  private static final Instance PRIVATE = instance(Instance.Access.PRIVATE);
  private static final Instance BOTH = instance(Instance.Access.BOTH);

  @Test
  void aNodesNameLeadsToTheTreeOfAllWhereThereIsOne() {
    assertThat(TreeNames.nodeOf(SHARED, "n1")).isNull();
    assertThat(TreeNames.nodeOf(PRIVATE, "n1")).isEqualTo("n1");
    assertThat(TreeNames.nodeOf(BOTH, "n1")).isNull();
  }

  @Test
  void aPrivateTreeIsNamedAfterItsNode() {
    assertThat(TreeNames.nodeOf(PRIVATE, TreeNames.ofPrivate(PRIVATE, "n1"))).isEqualTo("n1");
    assertThat(TreeNames.nodeOf(BOTH, TreeNames.ofPrivate(BOTH, "n1"))).isEqualTo("n1");
  }

  @Test
  void stagesAreNotedInTheTreeOfAllOrInOneOfTheirOwn() {
    assertThat(TreeNames.nodeOf(SHARED, TreeNames.ofStages(SHARED, "n1"))).isNull();
    assertThat(TreeNames.nodeOf(PRIVATE, TreeNames.ofStages(PRIVATE, "n1"))).isEqualTo("@stage");
    assertThat(TreeNames.nodeOf(BOTH, TreeNames.ofStages(BOTH, "n1"))).isNull();
  }

  @Test
  void noNodeHasAReservedName() {
    TreeNames.requireNode("n@1");
    assertThatThrownBy(() -> TreeNames.requireNode("@private/n1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'@private/n1' is no name of a node: names that begin with '@' are for trees of Forebay's own");
  }

  @Test
  void privateTreesAreDrainedOnlyWithoutATreeOfAll() {
    assertThat(SHARED.isDrained(0)).isTrue();
    assertThat(PRIVATE.isDrained(1)).isTrue();
    assertThat(BOTH.isDrained(0)).isTrue();
    assertThat(BOTH.isDrained(1)).isFalse();
  }
}
