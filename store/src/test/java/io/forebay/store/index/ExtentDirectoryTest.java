// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.RecordId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each way in which extents can meet, and what is told of it. */
final class ExtentDirectoryTest {
  private static final int ONE_EXTENT_BYTES_MAX = 200;

  private final ExtentDirectory directory = new ExtentDirectory();
  private final List<String> told = new ArrayList<>();
  private final Superseded out =
      new Superseded() {
        @Override
        public void superseded(RecordId record, long offset, int lengthBytes) {
          told.add(record.sequence() + " lost " + offset + "+" + lengthBytes);
        }

        @Override
        public void orphaned(RecordId record, int group) {
          told.add(record.sequence() + " orphaned");
        }
      };

  @Test
  void emptyDirectoryIsAnEmptyFile() {
    assertThat(directory.sizeBytes()).isZero();
    assertThat(directory.at(0)).isNull();
    assertThat(directory.cursor().seek(0)).isFalse();
    assertThat(content(0, 100)).isEmpty();
  }

  @Test
  void adjacentExtentsStayApart() {
    publish(10, 10, 1);
    publish(20, 10, 2);
    publish(0, 10, 3);
    assertThat(content(0, 100)).containsExactly("3@0+10", "1@10+10", "2@20+10");
    assertThat(told).isEmpty();
  }

  @Test
  void exactOverwriteOrphansTheOld() {
    publish(0, 10, 1);
    assertThat(publish(0, 10, 2)).isEqualTo(10);
    assertThat(content(0, 100)).containsExactly("2@0+10");
    assertThat(told).containsExactly("1 lost 0+10", "1 orphaned");
  }

  @Test
  void newInsideOldSplitsTheOld() {
    publish(0, 30, 1);
    publish(10, 10, 2);
    assertThat(content(0, 100)).containsExactly("1@0+10", "2@10+10", "1/20@20+10");
    assertThat(told).containsExactly("1 lost 10+10");
  }

  @Test
  void lateOldAroundNewIsSplit() {
    publish(10, 10, 2);
    assertThat(publish(0, 30, 1)).isEqualTo(20);
    assertThat(content(0, 100)).containsExactly("1@0+10", "2@10+10", "1/20@20+10");
    assertThat(told).isEmpty();
  }

  @Test
  void lateOldUnderNewGainsNothingAndIsOrphaned() {
    publish(0, 30, 2);
    assertThat(publish(10, 10, 1)).isZero();
    assertThat(content(0, 100)).containsExactly("2@0+30");
    assertThat(told).containsExactly("1 orphaned");
  }

  @Test
  void newTakesEndAndStartOfItsNeighbours() {
    publish(0, 20, 1);
    publish(20, 20, 2);
    publish(10, 20, 3);
    assertThat(content(0, 100)).containsExactly("1@0+10", "3@10+20", "2/10@30+10");
    assertThat(told).containsExactly("1 lost 10+10", "2 lost 20+10");
  }

  @Test
  void recordIsOrphanedWithItsLastPieceOnly() {
    publish(0, 30, 1);
    publish(10, 10, 2);
    publish(20, 10, 3);
    assertThat(told).containsExactly("1 lost 10+10", "1 lost 20+10");
    told.clear();
    publish(0, 10, 4);
    assertThat(told).containsExactly("1 lost 0+10", "1 orphaned");
  }

  @Test
  void lossOfAllPiecesAtOnceOrphansOnce() {
    publish(0, 30, 1);
    publish(10, 10, 2);
    told.clear();
    publish(0, 30, 3);
    assertThat(told)
        .containsExactly("1 lost 0+10", "2 lost 10+10", "2 orphaned", "1 lost 20+10", "1 orphaned");
  }

  @Test
  void sequenceDecidesWithinOnePublish() {
    directory.publish(extent(0, 10, 5, 1), out);
    directory.publish(extent(0, 10, 4, 1), out);
    assertThat(content(0, 100)).containsExactly("5@0+10");
    directory.publish(extent(0, 10, 6, 1), out);
    assertThat(content(0, 100)).containsExactly("6@0+10");
  }

  @Test
  void publishingAgainChangesNothing() {
    publish(0, 30, 1);
    publish(10, 10, 2);
    told.clear();
    assertThat(publish(0, 30, 1)).isZero();
    assertThat(publish(10, 10, 2)).isZero();
    assertThat(content(0, 100)).containsExactly("1@0+10", "2@10+10", "1/20@20+10");
    assertThat(told).isEmpty();
  }

  @Test
  void laterPublishOfTheSameRecordOnlyRenewsIt() {
    directory.publish(extent(0, 30, 1, 1), out);
    assertThat(directory.publish(extent(0, 30, 1, 7), out)).isZero();
    assertThat(told).isEmpty();
    publish(0, 30, 5);
    assertThat(content(0, 100)).containsExactly("1@0+30");
  }

  @Test
  void readShowsHolesAndCutsToTheRange() {
    publish(10, 10, 1);
    publish(30, 10, 2);
    assertThat(content(0, 100)).containsExactly("hole 0+10", "1@10+10", "hole 20+10", "2@30+10");
    assertThat(content(15, 20)).containsExactly("1/5@15+5", "hole 20+10", "2@30+5");
    assertThat(content(22, 5)).containsExactly("hole 22+5");
    assertThat(content(0, 0)).isEmpty();
    assertThat(content(50, Long.MAX_VALUE)).isEmpty();
    assertThat(directory.at(25)).isNull();
    assertThat(directory.at(39)).isEqualTo(extent(30, 10, 2, 2));
  }

  @Test
  void truncationCutsThenExtendsAndNothingReturns() {
    publish(0, 30, 1);
    publish(30, 10, 2);
    directory.truncate(3, 20, out);
    assertThat(told).containsExactly("1 lost 20+10", "2 lost 30+10", "2 orphaned");
    assertThat(directory.sizeBytes()).isEqualTo(20);
    directory.truncate(4, 50, out);
    assertThat(content(0, 100)).containsExactly("1@0+20", "hole 20+30");
    told.clear();
    assertThat(publish(0, 30, 1)).isZero();
    assertThat(publish(30, 10, 2)).isZero();
    assertThat(told).containsExactly("2 orphaned");
    assertThat(content(0, 100)).containsExactly("1@0+20", "hole 20+30");
    publish(40, 20, 5);
    assertThat(content(0, 100)).containsExactly("1@0+20", "hole 20+20", "5@40+20");
  }

  @Test
  void lateTruncationSparesWhatIsNewer() {
    publish(0, 30, 1);
    publish(20, 20, 9);
    directory.truncate(5, 10, out);
    assertThat(content(0, 100)).containsExactly("1@0+10", "hole 10+10", "9@20+20");
    directory.truncate(5, 0, out);
    assertThat(directory.sizeBytes()).isEqualTo(40);
  }

  @Test
  void clearOrphansEachRecordOnce() {
    publish(0, 30, 1);
    publish(10, 10, 2);
    told.clear();
    directory.clear(out);
    assertThat(told)
        .containsExactly("1 lost 0+10", "2 lost 10+10", "2 orphaned", "1 lost 20+10", "1 orphaned");
    assertThat(directory.sizeBytes()).isZero();
    assertThat(content(0, 100)).isEmpty();
  }

  @Test
  void smallFileIsSmall() {
    publish(0, 10, 1);
    assertThat(directory.memoryBytes()).isLessThan(ONE_EXTENT_BYTES_MAX);
  }

  @Test
  void sourcesNoLongerUsedAreForgotten() {
    publish(0, 10, 1);
    int overwrites = 100_000;
    for (int session = 0; session < overwrites; session++) {
      RecordId record = new RecordId(session, session);
      directory.publish(new Extent(0, 10, record, 0, 10, 2 + session, session), out);
    }
    ExtentCursor cursor = directory.cursor();
    assertThat(cursor.find(0)).isTrue();
    assertThat(cursor.session()).isEqualTo(overwrites - 1);
    assertThat(cursor.group()).isEqualTo(overwrites - 1);
    assertThat(directory.memoryBytes()).isLessThan(4 * ONE_EXTENT_BYTES_MAX);
  }

  @Test
  void impossibleExtentsAreRefused() {
    RecordId record = new RecordId(1, 1);
    assertThatThrownBy(() -> new Extent(0, 0, record, 0, 10, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Extent(9, 6, record, 5, 10, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Extent(4, 5, record, 5, 10, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Extent(Long.MAX_VALUE - 5, 10, record, 0, 10, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Publishes a record whose sequence is also its publish number. */
  private int publish(long offset, int lengthBytes, long number) {
    return directory.publish(extent(offset, lengthBytes, number, number), out);
  }

  private static Extent extent(long offset, int lengthBytes, long sequence, long publish) {
    return new Extent(offset, lengthBytes, new RecordId(7, sequence), 0, lengthBytes, publish, 3);
  }

  /** Extents as sequence, record offset if not 0, and range. */
  private List<String> content(long offset, long lengthBytes) {
    ExtentTreeInvariants.check(directory);
    List<String> seen = new ArrayList<>();
    directory.read(
        offset,
        lengthBytes,
        new RangeVisitor() {
          @Override
          public void hole(long offset, long lengthBytes) {
            seen.add("hole " + offset + "+" + lengthBytes);
          }

          @Override
          public void extent(ExtentCursor piece) {
            String within = piece.recordOffset() == 0 ? "" : "/" + piece.recordOffset();
            seen.add(piece.sequence() + within + "@" + piece.offset() + "+" + piece.lengthBytes());
          }
        });
    return seen;
  }
}
