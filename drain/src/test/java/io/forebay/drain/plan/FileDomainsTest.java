// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.drain.Seeds;
import io.forebay.drain.plan.FileDomains.Cut;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileDomainsTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static FileDomains cut(long sizeBytes, WriteRules rules, int holders) {
    Cut cut = FileDomains.cut(sizeBytes, rules, holders);
    assertThat(cut).isInstanceOf(Cut.Done.class);
    return ((Cut.Done) cut).domains();
  }

  @Test
  void domainsAreWholeStripesAndSeveralPerHolder() {
    FileDomains domains = cut(8 * GIB + 1, WriteRules.fileSystem((int) (16 * MIB)), 3);
    assertThat(domains.writeBytes()).isEqualTo(16 * MIB);
    assertThat(domains.domainBytes() % (16 * MIB)).isZero();
    assertThat(domains.count()).isEqualTo(12);
    assertThat(domains.end(11)).isEqualTo(8 * GIB + 1);
  }

  @Test
  void smallFilesHaveOneDomainAndEmptyOnesNone() {
    WriteRules rules = WriteRules.fileSystem((int) MIB);
    assertThat(cut(1, rules, 100).count()).isOne();
    assertThat(cut(8 * MIB, rules, 100).count()).isOne();
    assertThat(cut(8 * MIB + 1, rules, 100).count()).isEqualTo(2);
    assertThat(cut(0, rules, 100).count()).isZero();
  }

  @Test
  void aStripeLongerThanAWriteIsCutButDomainsAreNot() {
    FileDomains domains = cut(100 * GIB, WriteRules.fileSystem((int) GIB), 4);
    assertThat(domains.writeBytes()).isEqualTo(64 * MIB);
    assertThat(domains.domainBytes() % GIB).isZero();
  }

  @Test
  void partsGrowWhenThereWouldBeTooMany() {
    WriteRules s3 = WriteRules.numberedParts((int) (5 * MIB), 10_000);
    assertThat(cut(GIB, s3, 4).writeBytes()).isEqualTo(8 * MIB);
    FileDomains large = cut(1024 * GIB, s3, 4);
    assertThat(large.writeBytes()).isGreaterThan((int) (100 * MIB));
    assertThat((large.sizeBytes() - 1) / large.writeBytes() + 1).isLessThanOrEqualTo(10_000);
    assertThat(FileDomains.cut(10_001 * GIB, s3, 4))
        .isEqualTo(new Cut.TooLarge(10_001 * GIB, 10_000 * GIB));
    assertThat(FileDomains.cut(Long.MAX_VALUE, WriteRules.fileSystem(1), 4))
        .isInstanceOf(Cut.TooLarge.class);
  }

  @Test
  void oneWriterHasOneDomain() {
    assertThat(cut(100 * GIB, WriteRules.oneAppender(), 16).count()).isOne();
    assertThat(WriteRules.oneAppender().inOrder()).isTrue();
    assertThat(WriteRules.fileSystem(1).inOrder()).isFalse();
  }

  @Test
  void rulesThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> WriteRules.fileSystem(0)).hasMessage("a stripe of 0 bytes");
    assertThatThrownBy(() -> WriteRules.numberedParts(1, 0)).hasMessageContaining("0 parts");
    assertThatThrownBy(() -> new WriteRules(1, 1, 1, 1, 1, true, false, Holes.SPARSE))
        .hasMessageContaining("holes");
  }

  @Test
  void anyFileIsCutByTheRules() {
    Seeds.run(1_000, FileDomainsTest::compare);
  }

  private static void compare(Random random) {
    int stripe = 1 + random.nextInt(1 << random.nextInt(28));
    boolean any = random.nextBoolean();
    int min = 1 + random.nextInt(1 << random.nextInt(27));
    WriteRules rules =
        new WriteRules(
            stripe,
            1 + random.nextInt(WriteRules.WRITE_BYTES_MAX),
            min,
            WriteRules.PART_BYTES_MAX,
            1 + random.nextInt(100_000),
            random.nextBoolean(),
            any,
            any ? Holes.SPARSE : Holes.ZEROS);
    int holders = 1 + random.nextInt(100);
    long sizeBytes = random.nextLong(1L << (1 + random.nextInt(58)));
    switch (FileDomains.cut(sizeBytes, rules, holders)) {
      case Cut.TooLarge tooLarge -> {
        assertThat(sizeBytes).isGreaterThan(tooLarge.sizeBytesMax());
        assertThat(any).isFalse();
      }
      case Cut.Done(FileDomains domains) -> {
        assertThat(domains.domainBytes() % domains.writeBytes()).isZero();
        assertThat(domains.domainBytes() % stripe).isZero();
        assertThat(domains.writeBytes()).isBetween(min, WriteRules.PART_BYTES_MAX);
        assertThat(domains.count())
            .isLessThanOrEqualTo(
                rules.parallelWriters() ? holders * FileDomains.DOMAINS_PER_HOLDER : 1);
        if (!any) {
          long writes = (sizeBytes + domains.writeBytes() - 1) / domains.writeBytes();
          assertThat(writes).isLessThanOrEqualTo(rules.partsMax());
        }
        for (int domain = 0; domain < domains.count(); domain++) {
          assertThat(domains.domainOf(domains.start(domain))).isEqualTo(domain);
          assertThat(domains.domainOf(domains.end(domain) - 1)).isEqualTo(domain);
        }
      }
    }
  }
}
