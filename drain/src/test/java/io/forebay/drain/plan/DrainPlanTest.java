// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import static io.forebay.drain.plan.Plans.MIB;
import static io.forebay.drain.plan.Plans.holders;
import static io.forebay.drain.plan.Plans.inTurns;
import static io.forebay.drain.plan.Plans.participants;
import static io.forebay.drain.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.SeatId;
import io.forebay.drain.Seeds;
import io.forebay.drain.reorder.Pieces;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DrainPlanTest {
  private static final WriteRules FILE_SYSTEM = WriteRules.fileSystem(MIB);
  private static final WriteRules PARTS = WriteRules.numberedParts(5 * MIB, 10_000);

  @Test
  void smallInterleavedPiecesBecomeLargeAlignedWrites() {
    DrainPlan plan =
        plan(inTurns(512L * MIB, 4096, 7), 512L * MIB, FILE_SYSTEM, participants(3, 2));
    assertThat(plan.writeCount()).isEqualTo(64);
    for (int write = 0; write < 64; write++) {
      assertThat(plan.writeOffset(write)).isEqualTo(write * 8L * MIB);
      assertThat(plan.writeLengthBytes(write)).isEqualTo(8 * MIB);
    }
    assertThat(plan.writtenBytes()).isEqualTo(512L * MIB);
    assertThat(plan.groupsOf(0, source -> source % 3)).containsExactly(0, 1, 2);
    assertThat(plan.groupsOf(0, source -> SourceGroups.NONE)).isEmpty();
  }

  @Test
  void whoHasTheBytesWritesThem() {
    // Four ranks wrote a quarter each, each to a seat of its own.
    Pieces pieces = inTurns(4 * 256L * MIB, 256 * MIB, 4);
    DrainPlan plan = plan(pieces, 1024L * MIB, FILE_SYSTEM, participants(4, 1));
    assertThat(plan.localBytes()).isEqualTo(1024L * MIB);
    for (int domain = 0; domain < plan.domains().count(); domain++) {
      int quarter = (int) (plan.domains().start(domain) / (256L * MIB));
      assertThat(plan.holder(domain).seat()).isEqualTo(new SeatId(quarter));
    }
    assertThat(plan.domainsOf(new SeatId(1))).containsExactly(4, 5, 6, 7);
  }

  @Test
  void nobodyWritesMuchMoreThanOthersEvenIfHeHasEverything() {
    DrainPlan plan =
        plan(inTurns(1024L * MIB, MIB, 1), 1024L * MIB, FILE_SYSTEM, participants(4, 1));
    int mean = plan.domains().count() / 4;
    for (int seat = 0; seat < 4; seat++) {
      assertThat(plan.domainsOf(new SeatId(seat)).length).isBetween(mean - 1, mean + 1);
    }
    assertThat(plan.domainsOf(new SeatId(0))).hasSize(mean + 1);
  }

  @Test
  void filesOfOneDomainGoToDifferentHolders() {
    int[] domains = new int[4];
    for (int file = 0; file < 8; file++) {
      Participants all = new Participants(holders(4, 1), source -> SourceGroups.NONE, file);
      domains[plan(inTurns(10, 10, 1), 10, FILE_SYSTEM, all).holder(0).seat().number()]++;
      Participants copies =
          new Participants(holders(4, 2), source -> Plans.group(0, 2).number(), file);
      assertThat(plan(inTurns(10, 10, 1), 10, FILE_SYSTEM, copies).holder(0).seat().number())
          .isIn(0, 1);
    }
    assertThat(domains).containsExactly(2, 2, 2, 2);
  }

  @Test
  void largeHolesAreLeftOutWhereTheStoreAllowsIt() {
    Pieces pieces = new Pieces(0);
    pieces.append(100, 100, 0, 0);
    pieces.append(300, 100, 0, 500); // A small hole before it becomes zeros.
    pieces.append(40L * MIB, 2 * MIB, 1, 0);
    long sizeBytes = 1L << 40;
    DrainPlan plan = plan(pieces, sizeBytes, FILE_SYSTEM, participants(2, 1));
    assertThat(plan.writeCount()).isEqualTo(2);
    assertThat(plan.writeOffset(0)).isEqualTo(100);
    assertThat(plan.writeLengthBytes(0)).isEqualTo(300);
    assertThat(plan.writeLengthBytes(1)).isEqualTo(2 * MIB);
    assertThat(parts(plan, 0)).isEqualTo("100+100 0@0, 200+100 zeros, 300+100 0@500");
    assertThatThrownBy(() -> plan(pieces, 41L * MIB, FILE_SYSTEM, participants(2, 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numberedPartsAreAllThereAndEqual() {
    Pieces pieces = new Pieces(0);
    pieces.append(20L * MIB, MIB, 3, 7);
    DrainPlan plan = plan(pieces, 33L * MIB, PARTS, participants(2, 1));
    assertThat(plan.writeCount()).isEqualTo(5);
    assertThat(parts(plan, 0)).isEqualTo("0+8388608 zeros");
    assertThat(parts(plan, 2))
        .isEqualTo("16777216+4194304 zeros, 20971520+1048576 3@7, 22020096+3145728 zeros");
    assertThat(plan.writeLengthBytes(4)).isEqualTo(MIB);
  }

  @Test
  void aFileUpdatedInPlaceGetsOnlyItsPieces() {
    WriteRules keep =
        new WriteRules(MIB, 8 * MIB, 1, 64 * MIB, Integer.MAX_VALUE, true, true, Holes.KEEP);
    Pieces pieces = new Pieces(0);
    pieces.append(0, 10, 0, 0);
    pieces.append(10, 10, 1, 0);
    pieces.append(21, 10, 2, 0);
    DrainPlan plan = plan(pieces, 100, keep, participants(1, 1));
    assertThat(plan.writeCount()).isEqualTo(2);
    assertThat(plan.writeLengthBytes(0)).isEqualTo(20);
  }

  @Test
  void aTooLargeFileIsAnAnswer() {
    assertThat(DrainPlanner.plan(new Pieces(0), 1L << 50, PARTS, participants(1, 1)))
        .isInstanceOf(DrainPlanner.Planning.TooLarge.class);
  }

  @Test
  void anEmptyFileHasNothingToWrite() {
    DrainPlan plan = plan(new Pieces(0), 0, PARTS, participants(3, 1));
    assertThat(plan.writeCount()).isZero();
    assertThat(plan.entry().holders()).isEmpty();
  }

  @Test
  void theDomainsOfASeatThatIsGoneGoToOthersAndAllElseStays() {
    DrainPlan plan =
        plan(inTurns(1024L * MIB, MIB, 4), 1024L * MIB, FILE_SYSTEM, participants(4, 1));
    SeatId gone = new SeatId(2);
    DrainPlan without = plan.without(gone);
    assertThat(without.domainsOf(gone)).isEmpty();
    for (int domain = 0; domain < plan.domains().count(); domain++) {
      if (plan.holder(domain).seat().equals(gone)) continue;
      assertThat(without.holder(domain)).isEqualTo(plan.holder(domain));
    }
    for (int seat : new int[] {0, 1, 3}) {
      assertThat(without.domainsOf(new SeatId(seat)).length).isBetween(5, 6);
    }
    assertThat(without.writeCount()).isEqualTo(plan.writeCount());
    DrainPlan one = plan(inTurns(10, 10, 1), 10, FILE_SYSTEM, participants(1, 1));
    assertThatThrownBy(() -> one.without(new SeatId(0))).hasMessageContaining("0 holders");
  }

  @Test
  void theEntryTellsWhoHasWhichOffset() {
    DrainPlan plan = plan(inTurns(100L * MIB, MIB, 5), 100L * MIB, FILE_SYSTEM, participants(3, 2));
    DomainsEntry entry = plan.entry();
    assertThat(entry.sizeBytes()).isEqualTo(100L * MIB);
    for (long offset = 0; offset < entry.sizeBytes(); offset += MIB / 2) {
      Holder holder = plan.holder(plan.domains().domainOf(offset));
      assertThat(entry.holderOf(offset).seat()).isEqualTo(holder.seat());
      assertThat(entry.holderOf(offset).group()).isEqualTo(holder.group());
      assertThat(entry.endOfDomain(offset))
          .isEqualTo(plan.domains().end(plan.domains().domainOf(offset)));
    }
    assertThatThrownBy(() -> entry.holderOf(100L * MIB)).hasMessageContaining("of 104857600");
    assertThatThrownBy(() -> new DomainsEntry(10, 5, entry.holders()))
        .hasMessageContaining("of 2 domains");
  }

  @Test
  void randomFilesAreWrittenWholeAndOnce() {
    Seeds.run(300, DrainPlanTest::compare);
  }

  /** Everything is small here, so that each byte can be compared. */
  private static void compare(Random random) {
    int sizeBytes = random.nextInt(random.nextInt(10) == 0 ? 8_000_000 : 300_000);
    Holes holes = List.of(Holes.values()).get(random.nextInt(3));
    WriteRules rules =
        new WriteRules(
            1 + random.nextInt(20_000),
            1 + random.nextInt(40_000),
            1 + random.nextInt(30_000),
            WriteRules.PART_BYTES_MAX,
            200 + random.nextInt(1_000),
            random.nextBoolean(),
            holes != Holes.ZEROS || random.nextBoolean(),
            holes);
    byte[] expected = new byte[sizeBytes];
    Pieces pieces = randomPieces(random, expected);
    int seats = 1 + random.nextInt(6);
    DrainPlan plan = plan(pieces, sizeBytes, rules, participants(seats, 1 + random.nextInt(seats)));
    byte[] written = new byte[sizeBytes];
    boolean[] touched = new boolean[sizeBytes];
    int previousEnd = 0;
    for (int domain = 0; domain < plan.domains().count(); domain++) {
      for (int write = plan.firstWrite(domain); write < plan.endWrite(domain); write++) {
        int from = (int) plan.writeOffset(write);
        int to = from + plan.writeLengthBytes(write);
        assertThat(from).isGreaterThanOrEqualTo(previousEnd);
        assertThat((long) from).isGreaterThanOrEqualTo(plan.domains().start(domain));
        assertThat((long) to).isLessThanOrEqualTo(plan.domains().end(domain));
        assertThat(from / plan.domains().writeBytes())
            .isEqualTo((to - 1) / plan.domains().writeBytes());
        if (holes == Holes.ZEROS) assertThat(from).isEqualTo(previousEnd);
        previousEnd = to;
        plan.visit(write, new Copy(written, touched, holes));
        for (int b = from; b < to; b++) {
          if (!touched[b]) throw new AssertionError("byte " + b + " is not in its write's parts");
        }
      }
    }
    if (holes == Holes.ZEROS) assertThat(previousEnd).isEqualTo(sizeBytes);
    assertThat(Arrays.mismatch(written, expected)).isEqualTo(-1);
  }

  /** Pieces whose bytes are told by their source and place; a source is a byte's value. */
  private static Pieces randomPieces(Random random, byte[] file) {
    Pieces pieces = new Pieces(0);
    int at = random.nextInt(10_000);
    int holeOdds = random.nextInt(10);
    while (at < file.length) {
      int bytes = Math.min(1 + random.nextInt(50_000), file.length - at);
      int source = random.nextInt(50);
      int sourceOffset = random.nextInt(1_000_000);
      pieces.append(at, bytes, source, sourceOffset);
      for (int i = 0; i < bytes; i++) file[at + i] = value(source, sourceOffset + i);
      at += bytes;
      if (random.nextInt(10) < holeOdds)
        at += random.nextInt(random.nextBoolean() ? 9 : file.length);
    }
    return pieces;
  }

  private static byte value(int source, long sourceOffset) {
    return (byte) (1 + (source * 31L + sourceOffset) % 127);
  }

  private static final class Copy implements WriteParts {
    private final byte[] file;
    private final boolean[] touched;
    private final Holes holes;

    Copy(byte[] file, boolean[] touched, Holes holes) {
      this.file = file;
      this.touched = touched;
      this.holes = holes;
    }

    @Override
    public void bytes(long fileOffset, int lengthBytes, int source, long sourceOffset) {
      for (int i = 0; i < lengthBytes; i++) {
        touch((int) fileOffset + i);
        file[(int) fileOffset + i] = value(source, sourceOffset + i);
      }
    }

    @Override
    public void zeros(long fileOffset, int lengthBytes) {
      assertThat(holes).isNotEqualTo(Holes.KEEP);
      if (holes == Holes.SPARSE) assertThat(lengthBytes).isLessThan(DrainPlanner.HOLE_BYTES_MIN);
      for (int i = 0; i < lengthBytes; i++) touch((int) fileOffset + i);
    }

    private void touch(int at) {
      if (touched[at]) throw new AssertionError("byte " + at + " is written twice");
      touched[at] = true;
    }
  }

  private static String parts(DrainPlan plan, int write) {
    StringBuilder text = new StringBuilder();
    plan.visit(
        write,
        new WriteParts() {
          @Override
          public void bytes(long fileOffset, int lengthBytes, int source, long sourceOffset) {
            add(fileOffset + "+" + lengthBytes + " " + source + "@" + sourceOffset);
          }

          @Override
          public void zeros(long fileOffset, int lengthBytes) {
            add(fileOffset + "+" + lengthBytes + " zeros");
          }

          private void add(String part) {
            text.append(text.isEmpty() ? "" : ", ").append(part);
          }
        });
    return text.toString();
  }
}
