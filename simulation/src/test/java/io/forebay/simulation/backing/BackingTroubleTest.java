// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static io.forebay.simulation.backing.DrainedWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure;
import io.forebay.wire.message.Names;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong with a store stands in the ledger, and draining goes on when it is remedied. */
class BackingTroubleTest {
  private static final int FILES = 50;

  static Stream<BackingFailure> troubles() {
    return Stream.of(
        new BackingFailure.NoRoot("the bucket is not there; make it"),
        new BackingFailure.NoPermission("it may not be written; allow it"),
        new BackingFailure.WrongCredentials("the keys are refused; give others"),
        new BackingFailure.NoSpace("it is full; make room"),
        new BackingFailure.WrongKind("there is a directory of that name; move it"),
        new BackingFailure.Unavailable("it does not answer"));
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void isToldAndPasses(BackingFailure trouble) {
    DrainedWorld drained = new DrainedWorld("close");
    drained.world.weather().refuse(trouble);
    long file = drained.write("file", 100_000);
    drained.world.runFor(20 * SECOND);
    Names.LedgerIs ledger = drained.ledger();
    assertThat(ledger.trouble()).isEqualTo(trouble.sentence());
    assertThat(ledger.entries()).hasSize(1);
    Names.LedgerEntry entry = ledger.entries().getFirst();
    assertThat(entry.file()).isEqualTo(file);
    assertThat(entry.state()).isNotEqualTo(Names.DrainState.DURABLE);
    assertThat(entry.lastError()).isEqualTo(trouble.sentence());
    assertThat(drained.named).isEmpty();
    drained.world.weather().refuse(null);
    assertThat(drained.world.runUntil(() -> drained.named.size() == 1, 60 * SECOND)).isTrue();
    drained.world.runFor(SECOND);
    assertThat(drained.allDurable()).isTrue();
    assertThat(drained.ledger().trouble()).isEmpty();
    assertThat(drained.ledger().entries().getFirst().lastError()).isEmpty();
  }

  static Stream<BackingFailure> troublesOfTheWholeStore() {
    return troubles().filter(BackingTroubleTest::concernsAll);
  }

  private static boolean concernsAll(BackingFailure trouble) {
    return trouble instanceof BackingFailure.NoRoot
        || trouble instanceof BackingFailure.WrongCredentials
        || trouble instanceof BackingFailure.Unavailable;
  }

  @ParameterizedTest
  @MethodSource("troublesOfTheWholeStore")
  void aStoreThatIsAwayIsAskedOnlyNowAndThenHoweverManyFilesWait(BackingFailure trouble) {
    DrainedWorld drained = new DrainedWorld("close");
    drained.world.weather().refuse(trouble);
    for (int i = 0; i < FILES; i++) drained.write("file-" + i, 1_000);
    drained.world.runFor(60 * SECOND);
    int before = drained.world.weather().refused();
    drained.world.runFor(60 * SECOND);
    assertThat(drained.world.weather().refused() - before).isBetween(1, 100);
    assertThat(drained.ledger().entries())
        .extracting(Names.LedgerEntry::state)
        .containsOnly(Names.DrainState.WAITING);
    drained.world.weather().refuse(null);
    // Whoever asks has put it right, and does not wait until the store is asked again.
    drained.drainAll();
    assertThat(drained.world.runUntil(drained::allDurable, 5 * SECOND)).isTrue();
  }
}
