// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.managers;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.Statuses.ManagerSeen;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagersTextTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ManagerSeen LEADER = new ManagerSeen("a", "", "a:7070", true, 0, 0);

  private static ManagerSeen follower(String name, long behind, long silentNanos) {
    return new ManagerSeen(name, "", name + ":7070", false, behind, silentNanos);
  }

  @Test
  void aManagerThatIsAloneIsNamedAsSuch() {
    String sentence = "managers: 1; while it is away, no server can join, leave or be replaced";
    assertThat(ManagersText.sentence(List.of(LEADER))).isEqualTo(sentence);
  }

  @Test
  void oneOfThreeMayBeLost() {
    List<ManagerSeen> well = List.of(follower("b", 0, SECOND), LEADER, follower("c", 1, SECOND));
    assertThat(ManagersText.sentence(well)).isEqualTo("managers: a leads, b, c (1 entry behind)");
    List<ManagerSeen> one = List.of(LEADER, follower("b", 0, 9 * SECOND), follower("c", 0, 0));
    assertThat(ManagersText.sentence(one))
        .isEqualTo(
            "managers: a leads, b (silent for 9 s), c; if one more is lost, no server can join, leave or be replaced");
  }

  /** Followers do not know how far the others are. */
  @Test
  void whatIsNotKnownIsNotCalledWell() {
    assertThat(ManagersText.state(follower("b", -1, -1))).isEqualTo("unknown");
    assertThat(ManagersText.state(follower("b", 17, SECOND))).isEqualTo("17 entries behind");
  }
}
