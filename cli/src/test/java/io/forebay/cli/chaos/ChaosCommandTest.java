// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes are killed and stopped while clients write. */
@Timeout(600)
class ChaosCommandTest {
  private static final String KILLS = System.getProperty("forebay.chaos.kills", "12");

  /** Some are given up before they come back, some are not. */
  private static final String AWAY = "1.2";

  @TempDir Path temporary;

  @Test
  void nothingAcknowledgedIsLost() {
    CommandOutcome outcome =
        CommandOutcome.run(
            "chaos", "--kills", KILLS, "--away", AWAY, "--json", "--dir", temporary.toString());
    assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
    System.out.print(outcome.out());
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(outcome.out());
    assertThat(count(report, "kills")).isEqualTo(Long.parseLong(KILLS));
    assertThat(count(report, "acknowledgedBytes")).isPositive();
    assertThat(count(report, "verifiedBytes")).isPositive();
    assertThat(count(report, "lostBytes") + count(report, "wrongBytes")).isZero();
    assertThat(count(report, "mapEpochs")).isPositive();
    assertThat((List<?>) report.get("mapConflicts")).isEmpty();
    assertThat(temporary).isEmptyDirectory();
  }

  /** Each fault of certificates once, and a usual one: certificates are renewed all the time. */
  @Test
  void nothingAcknowledgedIsLostWhenCertificatesExpireAndAreRevoked() {
    CommandOutcome outcome =
        CommandOutcome.run(
            "chaos",
            "--tls",
            "--certificate-lifetime",
            "30",
            "--faults",
            "4",
            "--away",
            AWAY,
            "--json",
            "--dir",
            temporary.toString());
    assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
    System.out.print(outcome.out());
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(outcome.out());
    assertThat(count(report, "revocations")).isEqualTo(1);
    assertThat(count(report, "expiredCertificates")).isEqualTo(1);
    assertThat(count(report, "renewalsWithoutManager")).isEqualTo(1);
    // Four servers, the owner of the instance and four writers, and two servers once more.
    assertThat(count(report, "certificatesIssued")).isGreaterThanOrEqualTo(11);
    assertThat(count(report, "certificatesRenewed")).isPositive();
    assertThat((Double) report.get("revokedOutSecondsMax")).isPositive();
    assertThat(count(report, "acknowledgedBytes")).isPositive();
    assertThat(count(report, "lostBytes") + count(report, "wrongBytes")).isZero();
    assertThat(temporary).isEmptyDirectory();
  }

  private static long count(Map<?, ?> report, String key) {
    return ((Double) report.get(key)).longValue();
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThat(CommandOutcome.run("chaos", "--copies", "5").err())
        .contains("5 copies on 4 servers");
    assertThat(CommandOutcome.run("chaos", "--minutes", "0").exitCode()).isEqualTo(2);
    assertThat(CommandOutcome.run("chaos", "--away", "60").err()).contains("at most 10");
    assertThat(CommandOutcome.run("chaos", "--tls", "--certificate-lifetime", "5").err())
        .contains("--certificate-lifetime must be from 20 to 3600");
  }
}
