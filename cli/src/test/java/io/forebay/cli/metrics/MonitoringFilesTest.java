// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.metrics.Metric;
import io.forebay.server.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules, dashboard and documentation name only metrics and labels that exist. */
class MonitoringFilesTest {
  private static final Pattern NAME = Pattern.compile("\\bforebay_[a-z0-9_]+");
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
  private static final Pattern LABELS = Pattern.compile("\\$labels\\.([a-z_]+)");
  private static final Pattern ENDING = Pattern.compile("_(bucket|count|sum)$");

  private static List<Metric> all() {
    List<Metric> all = new ArrayList<>(ServerMetrics.all());
    all.addAll(AgentSource.METRICS);
    all.addAll(MountSource.METRICS);
    return all;
  }

  private static String read(String file) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("LICENSE"))) root = root.getParent();
    return Files.readString(root.resolve(file));
  }

  private static Set<String> found(Pattern pattern, int group, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult each) -> each.group(group))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertKnown(String file) throws IOException {
    List<Metric> all = all();
    for (String name : found(NAME, 0, read(file))) {
      assertThat(all)
          .as("'%s' names %s", file, name)
          .anyMatch(
              each ->
                  each.name().equals(name)
                      || (each.kind() == Metric.Kind.HISTOGRAM
                          && each.name().equals(ENDING.matcher(name).replaceAll(""))));
    }
  }

  @Test
  void noMetricIsNamedThatDoesNotExist() throws IOException {
    assertKnown("prometheus/alerts.yml");
    assertKnown("grafana/forebay.json");
    assertKnown("docs/monitoring.md");
    assertThat(all().stream().map(Metric::name)).doesNotHaveDuplicates();
  }

  @Test
  void textsUseLabelsOfTheirMetrics() throws IOException {
    String[] rules = read("prometheus/alerts.yml").split("(?m)^ +- alert: ", -1);
    for (int i = 1; i < rules.length; i++) {
      Set<String> named = found(NAME, 0, rules[i]);
      Set<String> labels = new TreeSet<>(Set.of("instance", "job"));
      for (Metric each : all()) {
        if (named.contains(each.name())) labels.addAll(each.labels());
      }
      assertThat(labels).as(rules[i]).containsAll(found(LABELS, 1, rules[i]));
    }
  }

  @Test
  void eachAlertSaysWhatToDo() throws IOException {
    String rules = read("prometheus/alerts.yml");
    Set<String> alerts = found(ALERT, 1, rules);
    assertThat(alerts).hasSizeGreaterThan(15);
    assertThat(found(Pattern.compile("runbook: \"[^\"]{20,}\\.\""), 0, rules))
        .hasSameSizeAs(alerts);
    String documentation = read("docs/monitoring.md");
    for (String alert : alerts) assertThat(documentation).contains("`" + alert + "`");
  }
}
