// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static io.forebay.simulation.history.Script.close;
import static io.forebay.simulation.history.Script.publish;
import static io.forebay.simulation.history.Script.punch;
import static io.forebay.simulation.history.Script.read;
import static io.forebay.simulation.history.Script.runs;
import static io.forebay.simulation.history.Script.truncate;
import static io.forebay.simulation.history.Script.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule about files, broken and just not broken. */
class FileRulesTest {
  private final Script script = new Script();

  private void assertAccepted() {
    assertThat(script.check()).isEmpty();
  }

  private Violation assertBroken(Rule rule) {
    List<Violation> violations = script.check();
    assertThat(violations).extracting(Violation::rule).containsExactly(rule);
    return violations.getFirst();
  }

  @Test
  void whatIsPublishedIsSeen() {
    script.did(1, write(10, 0, 100)).did(1, publish()).saw(2, 0, 50, 10, 10);
    assertAccepted();
  }

  @Test
  void staleReadAfterAPublishReturned() {
    script.did(1, write(10, 0, 100)).did(1, publish());
    script.did(1, write(11, 0, 100)).did(1, publish()).saw(2, 0, 100, 10);
    Violation violation = assertBroken(Rule.STALE_READ);
    assertThat(violation.sentence())
        .contains(
            "read #4 of client 2 (9.000 ms to 10.000 ms) of file 1:7 saw at [0, 100) value 10")
        .contains("value 11 written by #2");
    assertThat(violation.operations()).extracting(Operation::number).contains(0, 1, 2, 3, 4);
  }

  @Test
  void zerosAfterAPublishReturned() {
    script.did(1, write(10, 0, 100)).did(1, publish()).saw(2, 0, 50, 10, 0);
    assertThat(assertBroken(Rule.STALE_READ).sentence()).contains("[50, 100) zeros");
  }

  @Test
  void aReadThatOverlapsAPublishSeesEither() {
    script.did(1, write(10, 0, 100)).did(1, publish()).did(1, write(11, 0, 100));
    Operation publish = script.begin(1, publish());
    script.saw(2, 0, 50, 10, 10).saw(2, 0, 50, 11, 11);
    script.end(publish, new Ending.Done());
    assertAccepted();
  }

  @Test
  void whatNobodyWrote() {
    script.did(1, write(10, 0, 100)).did(1, publish()).saw(2, 0, 50, 10, Run.FOREIGN);
    assertBroken(Rule.NEVER_WRITTEN);
  }

  @Test
  void whatWasWrittenToAnotherFile() {
    script.did(1, new Action.Write(Script.OTHER_FILE, 0, 100, 10)).did(1, publish());
    script.saw(2, 0, 100, 10);
    assertThat(assertBroken(Rule.NEVER_WRITTEN).sentence()).contains("written to file 1:8");
  }

  @Test
  void whatWasWrittenElsewhereInTheFile() {
    script.did(1, write(10, 0, 100)).did(1, publish()).saw(2, 50, 50, 10, 10);
    assertBroken(Rule.NEVER_WRITTEN);
  }

  @Test
  void ownWriteIsSeenAtOnce() {
    script.did(1, write(10, 0, 100)).saw(1, 0, 100, 10).saw(2, 0, 100, 0);
    assertAccepted();
  }

  @Test
  void ownWriteUnderWayMayBeSeen() {
    script.begin(1, write(10, 0, 100));
    script.saw(1, 0, 50, 10, 0);
    assertAccepted();
  }

  @Test
  void lostOwnWrite() {
    script.did(1, write(10, 0, 100)).saw(1, 0, 50, 10, 0);
    assertBroken(Rule.LOST_OWN_WRITE);
  }

  @Test
  void ownOlderWriteInPlaceOfTheNewerOne() {
    script.did(1, write(10, 0, 100)).did(1, write(11, 0, 100)).saw(1, 0, 100, 10);
    assertBroken(Rule.LOST_OWN_WRITE);
  }

  @Test
  void ownWriteHidesWhatOthersPublish() {
    script.did(1, write(10, 0, 100)).did(2, write(20, 0, 100)).did(2, publish());
    script.saw(1, 0, 100, 10).saw(2, 0, 100, 20).did(1, publish()).saw(2, 0, 100, 10);
    assertAccepted();
    script.saw(1, 0, 100, 20);
    assertBroken(Rule.LOST_OWN_WRITE);
  }

  @Test
  void unpublishedWriteOfAnother() {
    script.did(1, write(10, 0, 100)).saw(2, 0, 100, 10);
    assertBroken(Rule.UNPUBLISHED_SEEN);
  }

  @Test
  void unpublishedWriteOfADeadClient() {
    script.did(1, write(10, 0, 100)).did(1, new Action.EndSession()).saw(2, 0, 100, 10);
    assertThat(assertBroken(Rule.UNPUBLISHED_SEEN).sentence()).contains("never published");
  }

  @Test
  void publishThatTakesEffectAfterTheEndOfItsSession() {
    script.did(1, write(10, 0, 100)).begin(1, publish());
    script.did(1, new Action.EndSession()).saw(2, 0, 100, 0);
    assertAccepted();
    script.saw(2, 0, 100, 10);
    assertBroken(Rule.UNPUBLISHED_SEEN);
  }

  @Test
  void publishThatTakesEffectLate() {
    script.did(1, write(10, 0, 100)).unknown(1, publish());
    script.saw(2, 0, 100, 0).saw(2, 0, 100, 10).saw(3, 0, 100, 10);
    assertAccepted();
    script.saw(3, 0, 100, 0);
    assertBroken(Rule.NOT_MONOTONIC);
  }

  @Test
  void tornRecord() {
    script.did(1, write(10, 0, 100)).did(1, publish());
    script.did(2, write(20, 0, 100)).unknown(2, publish());
    script.saw(3, 0, 50, 20).saw(3, 50, 50, 20);
    assertAccepted();
    script.saw(4, 0, 50, 20, 10);
    assertBroken(Rule.TORN_RECORD);
  }

  @Test
  void halfOfARecordVanished() {
    script.did(2, write(20, 0, 100)).unknown(2, publish());
    script.saw(3, 0, 50, 20).saw(3, 50, 50, 0);
    assertThat(assertBroken(Rule.TORN_RECORD).sentence()).contains("[50, 100) zeros");
  }

  @Test
  void halfOfAnUnacknowledgedWriteInTwoRecordsIsAllRight() {
    script.unknown(2, new Action.Write(Script.FILE, 0, 100, 20, 50)).did(2, publish());
    script.saw(3, 0, 50, 20, 0).saw(3, 0, 50, 20, 0);
    assertAccepted();
  }

  @Test
  void halfOfAnUnacknowledgedWriteInOneRecordIsTorn() {
    script.did(2, write(19, 0, 100));
    script.unknown(2, write(20, 0, 100)).did(2, publish()).saw(3, 0, 50, 20, 19);
    assertBroken(Rule.TORN_RECORD);
  }

  @Test
  void piecesOfOnePublishKeepTheirOrder() {
    script.did(1, write(10, 0, 100)).did(1, write(11, 0, 50)).did(1, publish());
    script.saw(2, 0, 50, 11, 10);
    assertAccepted();
    script.saw(2, 0, 50, 10, 10);
    assertBroken(Rule.STALE_READ);
  }

  @Test
  void nonMonotonicReadsOfPublishesThatOverlap() {
    script.did(1, write(10, 0, 100)).did(2, write(20, 0, 100));
    Operation first = script.begin(1, publish());
    Operation second = script.begin(2, publish());
    script.end(first, new Ending.Done());
    script.end(second, new Ending.Done());
    script.saw(3, 0, 100, 10).saw(4, 0, 100, 10);
    assertAccepted();
    script.saw(3, 0, 100, 20);
    assertBroken(Rule.NOT_MONOTONIC);
  }

  @Test
  void twoPlacesShowDifferentOrders() {
    script.did(1, write(10, 0, 100)).did(2, write(20, 0, 100));
    Operation first = script.begin(1, publish());
    Operation second = script.begin(2, publish());
    script.end(first, new Ending.Done());
    script.end(second, new Ending.Done());
    script.saw(3, 0, 50, 10).saw(4, 50, 50, 20);
    assertBroken(Rule.NOT_MONOTONIC);
  }

  @Test
  void refusedWrite() {
    Operation write = script.begin(1, write(10, 0, 100));
    script.saw(1, 0, 100, 10);
    script.end(write, new Ending.Refused());
    script.did(1, publish()).saw(2, 0, 100, 0);
    assertAccepted();
    script.saw(2, 0, 100, 10);
    assertBroken(Rule.REFUSED_SEEN);
  }

  @Test
  void valueFromTheFuture() {
    Operation read = script.begin(2, read(0, 100));
    script.end(read, runs(0, 100, 10));
    script.did(1, write(10, 0, 100)).did(1, publish());
    assertBroken(Rule.NEVER_WRITTEN);
  }

  @Test
  void truncationCuts() {
    script.did(1, write(10, 0, 100)).did(1, truncate(50)).saw(2, 0, 50, 10, 0);
    assertAccepted();
    script.saw(2, 0, 50, 10, 10);
    assertBroken(Rule.STALE_READ);
  }

  @Test
  void truncationThatMayHaveHappened() {
    script.did(1, write(10, 0, 100)).did(1, publish()).unknown(1, truncate(50));
    script.saw(2, 0, 50, 10, 10).saw(2, 0, 50, 10, 0);
    assertAccepted();
    script.saw(2, 0, 50, 10, 10);
    assertBroken(Rule.NOT_MONOTONIC);
  }

  @Test
  void truncationDoesNotCutWhatIsBeforeIt() {
    script.did(1, write(10, 0, 100)).did(1, truncate(50)).saw(2, 0, 25, 10, 0);
    assertBroken(Rule.STALE_READ);
  }

  @Test
  void aHoleIsWhereItWasMadeAndNowhereElse() {
    script.did(1, write(10, 0, 90)).did(1, punch(30, 60)).saw(2, 0, 30, 10, 0, 10);
    assertAccepted();
    script.saw(2, 0, 30, 10, 0, 0);
    assertBroken(Rule.STALE_READ);
  }

  @Test
  void whatWasThereBeforeAHoleIsNotSeenAgain() {
    script.did(1, write(10, 0, 90)).did(1, punch(30, 60)).saw(2, 0, 30, 10, 10, 10);
    assertBroken(Rule.STALE_READ);
  }

  @Test
  void whatCouldNotBePublishedIsForgottenByClosing() {
    script.did(1, write(10, 0, 100)).unknown(1, close()).saw(1, 0, 100, 0);
    script.did(1, write(11, 0, 50)).did(1, publish()).saw(2, 0, 50, 11, 0);
    script.saw(2, 0, 50, 10, 10);
    assertAccepted();
    script.saw(2, 0, 50, 11, 10);
    assertBroken(Rule.NOT_MONOTONIC);
  }

  @Test
  void whatWasNotAnsweredIsPublishedWithTheNext() {
    script.did(1, write(10, 0, 50)).unknown(1, publish());
    script.did(1, write(11, 50, 100)).did(1, publish()).saw(2, 0, 50, 10, 11);
    assertAccepted();
    script.saw(2, 0, 50, 0, 11);
    assertBroken(Rule.STALE_READ);
  }
}
