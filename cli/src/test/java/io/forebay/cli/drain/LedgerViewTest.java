// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Json;
import io.forebay.client.durability.DrainProgress;
import io.forebay.client.durability.Ledger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table and the JSON, of ledgers made by hand. */
class LedgerViewTest {
  private static final int WIDTH_MAX = 100;
  private static final long SECOND = 1_000_000_000L;
  private static final long LARGE = (1L << 60) - 1;
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

  private static Ledger.Entry entry(
      long number, String path, long sizeBytes, Ledger.State state, long doneBytes, String error) {
    int attempts = error.isEmpty() ? 0 : 3;
    Instant since = NOW.minus(Duration.ofSeconds(90 + number % 100));
    return new Ledger.Entry(
        number, path, sizeBytes, 7, 5, false, state, doneBytes, attempts, since, error);
  }

  private static LedgerView view(LedgerView before, long nanos, Ledger ledger) {
    return LedgerView.of(ledger, entry -> true, before, NOW, nanos);
  }

  private static String print(LedgerView view) {
    StringWriter out = new StringWriter();
    view.print(new PrintWriter(out));
    return out.toString();
  }

  private static Ledger someOfEach(long doneBytes) {
    return new Ledger(
        List.of(
            entry(1, "/durable", 1 << 20, Ledger.State.DURABLE, 0, ""),
            entry(2, "/buffered", 1000, Ledger.State.BUFFERED, 0, ""),
            entry(3, "/waiting", 2000, Ledger.State.WAITING, 0, "the store is full"),
            entry(4, "/draining", 100 << 20, Ledger.State.DRAINING, doneBytes, "")),
        30 << 20,
        "",
        0);
  }

  @Test
  void whatIsUnderWayComesFirst() {
    String shown = print(view(null, 0, someOfEach(50 << 20)));
    assertThat(shown.lines())
        .containsExactly(
            "path       state      size  done  age  tries  last error",
            "/draining  draining   100M   50%  94s      -",
            "/waiting   waiting    1.9K     -  93s      3  the store is full",
            "/buffered  buffered  1000B     -  92s      -",
            "/durable   durable      1M  100%  91s      -",
            "",
            "buffered 2.9K in 2 files; draining 50M of 100M in 1 file at 30M/s; durable 1M in 1"
                + " file");
  }

  @Test
  void whatSomebodyElseChangedIsToldWithTheRemedy() {
    Ledger ledger =
        new Ledger(
            List.of(
                entry(1, "/durable", 1 << 20, Ledger.State.DURABLE, 0, ""),
                entry(2, "/changed", 1000, Ledger.State.CHANGED, 0, "do this and that")),
            0,
            "",
            3);
    assertThat(print(view(null, 0, ledger)).lines())
        .containsSubsequence(
            "/changed  changed  1000B     -  92s      3  do this and that",
            "/durable  durable     1M  100%  91s      -",
            "3 symbolic links or special files of the backing store are not shown",
            "/changed: do this and that");
  }

  @Test
  void ratesAreOfTheTimeBetween() {
    LedgerView before = view(null, 5 * SECOND, someOfEach(50 << 20));
    LedgerView after = view(before, 7 * SECOND, someOfEach(70 << 20));
    assertThat(print(after)).contains("  70% 10M/s  ");
  }

  @Test
  void fitsHoweverLargeTheFigures() {
    String path = "/a/rather/long/path/of/a/checkpoint/in/a/deep/directory/step-000017";
    String error = "the file system of the backing store is mounted so that it cannot be written";
    Ledger.Entry large = entry(1L << 40, path, LARGE, Ledger.State.DRAINING, LARGE / 2, error);
    Ledger ledger = new Ledger(List.of(large), LARGE, error + "; " + error, 0);
    LedgerView before = view(null, 0, ledger);
    String shown = print(view(before, 1, ledger));
    assertThat(shown.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    assertThat(shown)
        .contains("…t/in/a/deep/directory/step-000017", "1023P", "the file system of…")
        .contains("\ndraining makes no progress: the file system of the backing store");
  }

  @Test
  void onlyWhatIsWantedIsShown() {
    LedgerView view =
        LedgerView.of(someOfEach(0), entry -> entry.path().equals("/durable"), null, NOW, 0);
    assertThat(print(view)).contains("/durable").doesNotContain("/buffered");
    assertThat(print(LedgerView.of(someOfEach(0), entry -> false, null, NOW, 0)))
        .isEqualTo("there is no file\n");
  }

  @Test
  void programsGetEverything() {
    Map<String, Object> json = view(null, 0, someOfEach(5)).json();
    assertThat(Json.write(json))
        .startsWith("{\"bytesPerSecond\":31457280,\"trouble\":\"\",\"totals\":{\"bufferedFiles\":2")
        .contains("\"drainingBytes\":104857600,\"doneBytes\":5,\"durableFiles\":1")
        .contains(
            "{\"path\":\"/waiting\",\"number\":3,\"sizeBytes\":2000,\"state\":\"waiting\","
                + "\"doneBytes\":0,\"version\":7,\"durableVersion\":5,\"backed\":false,"
                + "\"attempts\":3,\"since\":\"2026-03-04T05:04:34Z\","
                + "\"lastError\":\"the store is full\"}");
  }

  @Test
  void howFarAWaitIs() {
    assertThat(Waiting.detail(new DrainProgress(0, 1, 1 << 20, 3 << 20, 0, "")))
        .isEqualTo("1 MiB of 3 MiB");
    assertThat(Waiting.detail(new DrainProgress(2, 5, 1 << 20, 3 << 20, 1 << 20, "it is full")))
        .isEqualTo("2 of 5 files, 1 MiB of 3 MiB, 1 MiB/s; it is full");
  }

  @Test
  void whatIsStartedIsSaid() {
    assertThat(DrainCommand.sentence(0, 0)).isEqualTo("all of it is durable already");
    assertThat(DrainCommand.sentence(1, 5)).startsWith("1 file is being drained, 5 B; ");
    assertThat(DrainCommand.sentence(2, 1 << 20)).startsWith("2 files are being drained, 1 MiB; ");
  }
}
