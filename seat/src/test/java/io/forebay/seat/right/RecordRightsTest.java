// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.ContentKey;
import io.forebay.base.proof.SessionSecret;
import io.forebay.seat.right.RecordRights.KeyTold;
import io.forebay.seat.right.RecordRights.Verdict;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordRightsTest {
  private static final long SECRET = 4711;
  private static final RecordId RECORD = new RecordId(SessionSecret.sessionOf(SECRET), 256);
  private static final FileId FILE = new FileId(3, Names.inTree(2, 17));

  private final SplittableRandom random = new SplittableRandom(7);
  private final ContentKey key = ContentKey.draw(random);
  private final List<KeyTold> asked = new ArrayList<>();
  private final LimitCounts limits = new LimitCounts();
  private final RecordRights rights =
      new RecordRights(
          (instance, tree, told) -> {
            assertThat(instance).isEqualTo(3);
            assertThat(tree).isEqualTo(2);
            asked.add(told);
          },
          limits);

  private List<Verdict> get(long proof) {
    List<Verdict> verdicts = new ArrayList<>();
    rights.mayGet(RECORD, FILE, proof, verdicts::add);
    return verdicts;
  }

  @Test
  void aKeyIsAskedForOnce() {
    List<Verdict> first = get(key.proofOf(FILE));
    List<Verdict> second = get(key.proofOf(FILE));
    assertThat(asked).hasSize(1);
    assertThat(first).isEmpty();
    asked.getFirst().told(key);
    assertThat(first).containsExactly(Verdict.ALLOWED);
    assertThat(second).containsExactly(Verdict.ALLOWED);
    for (int i = 0; i < 1000; i++) {
      assertThat(get(key.proofOf(FILE))).containsExactly(Verdict.ALLOWED);
    }
    assertThat(asked).hasSize(1);
  }

  @Test
  void aWrongProofIsDeniedByTheKeyOfTheDay() {
    get(key.proofOf(FILE));
    asked.removeFirst().told(key);
    ContentKey newer = ContentKey.draw(random);
    List<Verdict> byNewer = get(newer.proofOf(FILE));
    List<Verdict> byOlder = get(key.proofOf(FILE));
    List<Verdict> wrong = get(key.proofOf(new FileId(3, Names.inTree(2, 18))));
    asked.removeFirst().told(newer);
    assertThat(byNewer).containsExactly(Verdict.ALLOWED);
    assertThat(byOlder).containsExactly(Verdict.ALLOWED);
    assertThat(wrong).containsExactly(Verdict.DENIED);
    List<Verdict> outdated = get(key.proofOf(FILE));
    asked.removeFirst().told(newer);
    assertThat(outdated).containsExactly(Verdict.DENIED);
  }

  @Test
  void nothingIsDecidedWithoutAKey() {
    List<Verdict> verdicts = get(ContentKey.NO_PROOF);
    asked.removeFirst().told(null);
    assertThat(verdicts).containsExactly(Verdict.NOT_NOW);
    List<Verdict> again = get(ContentKey.NO_PROOF);
    asked.removeFirst().told(key);
    assertThat(again).containsExactly(Verdict.DENIED);
  }

  @Test
  void noMoreThanSoManyWait() {
    List<Verdict> all = new ArrayList<>();
    for (int i = 0; i < RecordRights.WAITING_MAX; i++) {
      rights.mayGet(RECORD, FILE, i, all::add);
    }
    assertThat(limits.of(Limit.KEY_REQUESTS)).isZero();
    assertThat(get(0)).containsExactly(Verdict.NOT_NOW);
    assertThat(limits.of(Limit.KEY_REQUESTS)).isEqualTo(1);
    asked.removeFirst().told(key);
    assertThat(all).hasSize(RecordRights.WAITING_MAX).containsOnly(Verdict.DENIED);
    assertThat(get(0)).isEmpty();
  }

  @Test
  void theClientOfASessionWritesAndReadsWithItsSecret() {
    assertThat(rights.mayPut(RECORD, SECRET)).isTrue();
    assertThat(rights.mayPut(RECORD, SECRET)).isTrue();
    assertThat(rights.mayPut(RECORD, SECRET + 1)).isFalse();
    // Falls into the same slot of what is remembered.
    assertThat(rights.mayPut(RECORD, SECRET + (1 << 20))).isFalse();
    assertThat(rights.mayPut(RECORD, SECRET)).isTrue();
    assertThat(rights.mayPut(new RecordId(0, 256), 0)).isFalse();
    assertThat(get(SECRET)).containsExactly(Verdict.ALLOWED);
    assertThat(asked).isEmpty();
  }
}
