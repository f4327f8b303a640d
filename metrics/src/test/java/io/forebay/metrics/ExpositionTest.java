// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.latency.LatencyHistogram;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text formats, line by line: each must be one that a scraper can read. */
class ExpositionTest {
  private static final String OPEN = "application/openmetrics-text; version=1.0.0";

  private static final Metric COUNTER = Metric.counter("forebay_a_bytes_total", "Bytes.", "name");
  private static final Metric GAUGE = Metric.gauge("forebay_b", "A \"gauge\"\\ of two\nlines.");
  private static final Metric HISTOGRAM = Metric.histogram("forebay_c_seconds", "Times.", "op");

  private static final String NUMBER = "([0-9.E+-]+|\\+Inf|NaN)";
  private static final Pattern LINE =
      Pattern.compile(
          "# (HELP|TYPE|UNIT) [a-z_]+ .*|# EOF|[a-z_]+(\\{([a-z]+=\"([^\"\\\\\n]|\\\\.)*\",?)+})? "
              + NUMBER);

  private static String text(Samples samples, String accept) {
    return Exposition.write(samples, accept).text();
  }

  private static Samples some() {
    Samples samples = new Samples();
    samples.add(COUNTER, 1L << 53, "a \"quoted\"\\ name\n");
    samples.add(COUNTER, 7, "b");
    samples.add(GAUGE, -1.5);
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.add(1_000);
    histogram.add(17_000);
    histogram.add(100_000_000_000L);
    samples.add(HISTOGRAM, histogram.now(), "put");
    return samples;
  }

  @Test
  void bothFormatsAreReadable() {
    for (String accept : new String[] {"text/plain", OPEN, "*/*", "", null}) {
      String text = text(some(), accept);
      assertThat(text.lines()).allMatch(line -> LINE.matcher(line).matches());
      assertThat(text.lines().toList())
          .contains(
              "forebay_a_bytes_total{name=\"a \\\"quoted\\\"\\\\ name\\n\"} 9.007199254740992E15",
              "forebay_a_bytes_total{name=\"b\"} 7.0",
              "forebay_b -1.5");
    }
  }

  @Test
  void theScraperChoosesTheFormat() {
    Exposition.Text open = Exposition.write(some(), OPEN + ",text/plain;version=0.0.4;q=0.5");
    assertThat(open.contentType()).startsWith("application/openmetrics-text");
    assertThat(text(some(), OPEN)).endsWith("# EOF\n").contains("# TYPE forebay_a_bytes counter");
    Exposition.Text plain = Exposition.write(some(), "text/plain;version=0.0.4");
    assertThat(plain.contentType()).startsWith("text/plain; version=0.0.4");
    assertThat(text(some(), null)).contains("# TYPE forebay_a_bytes_total counter");
  }

  @Test
  void bucketsAddUp() {
    List<String> lines = text(some(), OPEN).lines().toList();
    assertThat(lines)
        .contains(
            "forebay_c_seconds_bucket{op=\"put\",le=\"1.6E-5\"} 1",
            "forebay_c_seconds_bucket{op=\"put\",le=\"3.2E-5\"} 2",
            "forebay_c_seconds_bucket{op=\"put\",le=\"33.554432\"} 2",
            "forebay_c_seconds_bucket{op=\"put\",le=\"+Inf\"} 3",
            "forebay_c_seconds_count{op=\"put\"} 3",
            "forebay_c_seconds_sum{op=\"put\"} 100.000018");
    assertThat(lines.stream().filter(line -> line.contains("_bucket")))
        .hasSize(LatencyHistogram.BUCKETS);
  }

  @Test
  void aRegistryLeavesOutWhatFailsOrIsThereTwice() {
    Registry registry = new Registry();
    Source broken =
        to -> {
          throw new IllegalStateException("broken");
        };
    registry.add(broken);
    registry.add(to -> to.add(COUNTER, 1, "a"));
    registry.add(to -> to.add(COUNTER, 2, "a"));
    assertThat(text(registry.scrape(), OPEN))
        .contains("forebay_a_bytes_total{name=\"a\"} 1.0", "forebay_metrics_left_out 2.0");
    registry.remove(broken);
    assertThat(text(registry.scrape(), OPEN)).contains("forebay_metrics_left_out 1.0");
  }

  @Test
  void anAnswerIsBounded() {
    Samples samples = new Samples();
    for (int i = 0; i < Samples.SAMPLES_MAX + 3; i++) samples.add(COUNTER, i, "name-" + i);
    assertThat(samples.all().get(COUNTER)).hasSize(Samples.SAMPLES_MAX);
    assertThat(samples.leftOut()).isEqualTo(3);
  }

  @Test
  void namesFollowTheConventions() {
    assertThatThrownBy(() -> Metric.counter("forebay_bytes", "Bytes."))
        .hasMessageContaining("end in _total");
    assertThatThrownBy(() -> Metric.gauge("forebay_bytes_total", "Bytes."))
        .hasMessageContaining("end in _total");
    assertThatThrownBy(() -> Metric.histogram("forebay_time_nanos", "Times."))
        .hasMessageContaining("seconds");
    assertThatThrownBy(() -> Metric.counter("forebay_files_created_total", "Files."))
        .hasMessageContaining("reserved");
    assertThatThrownBy(() -> Metric.gauge("forebay_b", "no sentence"))
        .hasMessageContaining("sentence");
    assertThatThrownBy(() -> new Samples().add(COUNTER, 1)).hasMessageContaining("labels");
  }
}
