// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.metrics.Metric;
import io.forebay.server.Access;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring in this process, scraped. */
@Timeout(120)
class ScrapeTest {
  private static final int BYTES = 300_000;

  private static Map<String, Double> scrape(String url) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              java.net.http.HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      Map<String, Double> values = new TreeMap<>();
      answer
          .body()
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(
              line -> {
                int space = line.lastIndexOf(' ');
                values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
              });
      return values;
    }
  }

  private static EmbeddedCluster ring() throws Exception {
    Settings settings = Settings.read(Keys.UP, null, Map.of("metrics-listen", "127.0.0.1:0"));
    return EmbeddedCluster.builder()
        .servers(3)
        .copies(2)
        .unixSockets(false)
        .access(Access.ofUp(settings))
        .start();
  }

  private static void write(EmbeddedCluster cluster) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri());
        ForebayFile file =
            client.open(
                "/file",
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[BYTES]), 0);
      file.sync();
      file.read(ByteBuffer.allocate(BYTES), 0);
    }
  }

  private static double sum(Map<String, Double> values, String start) {
    return values.entrySet().stream()
        .filter(each -> each.getKey().startsWith(start))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static double times(Map<String, Double> values, String operation) {
    return values.entrySet().stream()
        .filter(each -> each.getKey().startsWith("forebay_seat_operation_seconds_count{"))
        .filter(each -> each.getKey().contains("operation=\"" + operation + "\""))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void whatIsWrittenIsCounted() throws Exception {
    try (EmbeddedCluster cluster = ring()) {
      write(cluster);
      String url = cluster.metricsUrl();
      assertThat(url).startsWith("http://127.0.0.1:");
      Map<String, Double> values = scrape(url);
      assertThat(sum(values, "forebay_seat_put_bytes_total{")).isGreaterThanOrEqualTo(BYTES);
      assertThat(sum(values, "forebay_seat_copy_bytes_total{"))
          .isEqualTo(sum(values, "forebay_seat_put_bytes_total{"));
      assertThat(values).containsEntry("forebay_manager_serving{manager=\"manager\"}", 1.0);
      assertThat(values).containsEntry("forebay_ring_copies_missing{manager=\"manager\"}", 0.0);
      assertThat(sum(values, "forebay_loop_answers{")).isEqualTo(4);
      assertThat(values).containsEntry("forebay_metrics_left_out", 0.0);
      double puts = sum(values, "forebay_seat_puts_total{");
      assertThat(times(values, "put")).isEqualTo(puts);
      assertThat(times(values, "copy")).isEqualTo(puts);
      assertThat(times(values, "read")).isEqualTo(sum(values, "forebay_seat_gets_total{"));
      assertThat(times(values, "publish")).isPositive();
      assertThat(times(values, "change")).isPositive();
      assertEachIsThere(values.keySet());

      cluster.stop(2);
      Map<String, Double> without = scrape(url);
      assertThat(without).isNotEmpty();
      assertThat(without.keySet())
          .noneMatch(each -> each.contains("server=\"server-3\",seat=\"3\",tier"));
      assertThat(sum(without, "forebay_loop_answers{")).isEqualTo(3);
      cluster.start(2);
      assertThat(sum(scrape(url), "forebay_loop_answers{")).isEqualTo(4);
    }
  }

  /** A metric that never appears would mislead an operator who makes a rule of it. */
  private static void assertEachIsThere(Set<String> series) {
    Set<String> names = new TreeSet<>();
    for (String each : series) names.add(each.replaceAll("\\{.*", "").replaceAll("_bucket$", ""));
    for (Metric metric : ServerMetrics.all()) {
      // Of a cluster without TLS and with one manager.
      if (metric.equals(CertificateSource.EXPIRES)) continue;
      // Its instance is not drained.
      if (metric.name().startsWith("forebay_instance_undrained_")) continue;
      if (metric.name().startsWith("forebay_manager_peer_")) continue;
      assertThat(names).contains(metric.name());
    }
  }
}
