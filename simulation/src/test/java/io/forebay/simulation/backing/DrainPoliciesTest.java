// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static io.forebay.simulation.backing.DrainedWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a policy says is what happens. */
class DrainPoliciesTest {
  private static final int KIB = 1024;

  /** So many files are drained at a time. */
  private static final int AT_A_TIME = 4;

  @Test
  void theOldestFileGoesFirst() {
    DrainedWorld drained = new DrainedWorld("request");
    List<Long> files = new ArrayList<>();
    for (int i = 9; i > 0; i--) files.add(drained.write("file-" + i, KIB));
    drained.world.runFor(3 * SECOND);
    assertThat(drained.begun).isEmpty();
    drained.drainAll();
    assertThat(drained.world.runUntil(() -> drained.named.size() == 9, 30 * SECOND)).isTrue();
    assertThat(drained.begun.subList(0, AT_A_TIME))
        .containsExactlyInAnyOrderElementsOf(files.subList(0, AT_A_TIME));
    assertThat(drained.begun.subList(AT_A_TIME, 9)).containsAll(files.subList(AT_A_TIME, 9));
  }

  @Test
  void aRateIsNotExceeded() {
    DrainedWorld drained = new DrainedWorld("request,rate=64KiB/s");
    for (int i = 0; i < 10; i++) drained.write("file-" + i, 64 * KIB);
    drained.drainAll();
    long beganNanos = drained.world.nanos();
    assertThat(drained.world.runUntil(() -> drained.named.size() == 10, 60 * SECOND)).isTrue();
    assertThat(drained.world.nanos() - beganNanos).isBetween(7 * SECOND, 15 * SECOND);
  }

  @Test
  void nothingIsDrainedBelowTheFillLevelAndAllAboveIt() {
    // 1 % of what three seats of 30 MiB hold in two copies.
    DrainedWorld drained = new DrainedWorld("fill=1%");
    for (int i = 0; i < 5; i++) drained.write("file-" + i, 64 * KIB);
    drained.world.runFor(10 * SECOND);
    assertThat(drained.begun).isEmpty();
    for (int i = 5; i < 10; i++) drained.write("file-" + i, 64 * KIB);
    assertThat(drained.world.runUntil(() -> drained.named.size() == 10, 30 * SECOND)).isTrue();
    // What is durable counts no longer.
    drained.write("another", KIB);
    drained.world.runFor(10 * SECOND);
    assertThat(drained.named).hasSize(10);
  }

  @Test
  void aSeatThatIsBusyForAMomentHasNothingDrainedBeforeItsTimeAndAFullOneHas() {
    DrainedWorld drained = new DrainedWorld("end");
    drained.write("file", KIB);
    drained.world.seats().forEach(seat -> seat.callForRoom(KIB, false));
    drained.world.runFor(3 * SECOND);
    assertThat(drained.begun).isEmpty();
    drained.world.seats().forEach(seat -> seat.callForRoom(KIB, true));
    assertThat(drained.world.runUntil(() -> drained.named.size() == 1, 10 * SECOND)).isTrue();
  }

  @Test
  void aFileThatIsClosedOrHasWaitedIsDrained() {
    DrainedWorld closed = new DrainedWorld("close");
    closed.write("file", KIB);
    assertThat(closed.world.runUntil(() -> closed.named.size() == 1, 10 * SECOND)).isTrue();
    DrainedWorld waiting = new DrainedWorld("every=20s");
    waiting.write("file", KIB);
    waiting.world.runFor(15 * SECOND);
    assertThat(waiting.begun).isEmpty();
    assertThat(waiting.world.runUntil(() -> waiting.named.size() == 1, 20 * SECOND)).isTrue();
  }
}
