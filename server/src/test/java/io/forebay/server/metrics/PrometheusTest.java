// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.ring.PlacementSpec;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus reads the metrics of real processes, and evaluates the rules that we deliver.
 */
@Timeout(300)
class PrometheusTest {
  private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
  private static final Pattern URL = Pattern.compile("metrics are at (http\\S+)");
  private static final Pattern ALERT = Pattern.compile("\"alertname\":\"(\\w+)\"");
  private static final String DOWN = "ForebayTargetDown";
  private static final String COPIES = "ForebayCopiesMissing";
  private static final long MIB = 1 << 20;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private LocalRing ring;
  private Process prometheus;
  private int port;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Files.isExecutable(PROMETHEUS), "prometheus is not installed: run dev/optional-packages");
    RingShape shape =
        new RingShape(
            3,
            2,
            (int) MIB,
            16 * MIB,
            32 * MIB,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    Path memory = Files.createDirectory(directory.resolve("memory"));
    ring = new LocalRing(shape, directory.resolve("ring"), memory);
    ring.start();
    startPrometheus();
  }

  @AfterEach
  void end() throws Exception {
    http.close();
    if (prometheus != null) {
      prometheus.destroy();
      if (!prometheus.waitFor(10, TimeUnit.SECONDS)) prometheus.destroyForcibly().waitFor();
    }
    if (ring != null) ring.close();
  }

  private List<String> names() {
    return List.of(LocalRing.MANAGER, LocalRing.name(0), LocalRing.name(1), LocalRing.name(2));
  }

  /** Where a process told its metrics last. */
  private String target(String name) throws IOException {
    Matcher found = URL.matcher(Files.readString(directory.resolve("ring/" + name + ".log")));
    String last = "";
    while (found.find()) last = found.group(1);
    assertThat(last).as("the address in the log of " + name).isNotEmpty();
    return URI.create(last).getAuthority();
  }

  private void writeTargets() throws IOException {
    StringBuilder targets = new StringBuilder();
    for (String name : names()) {
      targets.append(targets.isEmpty() ? "" : ",").append('"').append(target(name)).append('"');
    }
    // Replaced as a whole: Prometheus must not read half of it.
    Path made = directory.resolve("targets.new");
    Files.writeString(made, "[{\"targets\":[" + targets + "]}]");
    Files.move(
        made,
        directory.resolve("targets.json"),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private void startPrometheus() throws IOException {
    writeTargets();
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("prometheus/alerts.yml"))) root = root.getParent();
    String rules = Files.readString(root.resolve("prometheus/alerts.yml"));
    // The same rules, without their patience.
    Files.writeString(
        directory.resolve("alerts.yml"), rules.replaceAll("for: \\d+[smh]", "for: 500ms"));
    Files.writeString(
        directory.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms}
        rule_files: [alerts.yml]
        scrape_configs:
          - job_name: forebay
            file_sd_configs: [{files: [targets.json], refresh_interval: 1s}]
        """);
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    prometheus =
        new ProcessBuilder(
                PROMETHEUS.toString(),
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
  }

  /** The answer to a query; empty while Prometheus starts. */
  private String query(String query) throws InterruptedException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + encoded);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    }
  }

  private String await(String query, Predicate<String> expected) throws Exception {
    String answer = query(query);
    while (!expected.test(answer)) {
      assertThat(prometheus.isAlive())
          .as("prometheus runs: %s", Files.readString(directory.resolve("prometheus.log")))
          .isTrue();
      TimeUnit.MILLISECONDS.sleep(100);
      answer = query(query);
    }
    return answer;
  }

  private static Set<String> alerts(String answer) {
    return ALERT
        .matcher(answer)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void anAlertFiresWhileAServerIsDeadAndEnds() throws Exception {
    String firing = "ALERTS{alertstate=\"firing\"}";
    await("sum(up{job=\"forebay\"})", answer -> answer.contains("\"4\"]"));
    // All that the ring has yet to do after its start.
    await("sum(forebay_ring_copies_missing)", answer -> answer.contains("\"0\"]"));
    await(firing, answer -> !answer.isEmpty() && alerts(answer).isEmpty());

    ring.kill(LocalRing.name(1));
    String during = await(firing, answer -> alerts(answer).containsAll(List.of(DOWN, COPIES)));
    assertThat(during).contains(target(LocalRing.name(1)));
    assertThat(alerts(during)).doesNotContain("ForebayNoManager", "ForebayGroupsUnavailable");

    ring.restart(LocalRing.name(1));
    writeTargets();
    await("sum(up{job=\"forebay\"})", answer -> answer.contains("\"4\"]"));
    await(firing, answer -> !answer.isEmpty() && alerts(answer).isEmpty());
  }
}
