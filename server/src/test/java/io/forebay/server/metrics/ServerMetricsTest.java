// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.wire.authority.CertificateName;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
  private static final Metric VALUE = Metric.gauge("forebay_value", "A value.", "loop");

  @Test
  void noNameIsUsedTwice() {
    List<Metric> all = ServerMetrics.all();
    assertThat(all.stream().map(Metric::name)).doesNotHaveDuplicates();
    // Scrapers give a label of this name to every sample.
    assertThat(all).noneMatch(each -> each.labels().contains("instance"));
  }

  @Test
  void statesAreWords() {
    assertThat(SeatMetrics.state("ok")).isEqualTo("ok");
    assertThat(SeatMetrics.state("redirecting to seat 3")).isEqualTo("redirecting");
    assertThat(SeatMetrics.state("memory is nearly full")).isEqualTo("tight");
    assertThat(SeatMetrics.state("full: waiting for room")).isEqualTo("full");
  }

  @Test
  void aLoopThatDoesNotAnswerIsAskedOnceAndShownAsSuch() {
    CompletableFuture<Integer> hangs = new CompletableFuture<>();
    AtomicInteger asked = new AtomicInteger();
    LoopSource<Integer> source =
        new LoopSource<>(
            List.of(
                new LoopSource.Asked<>(
                    "s",
                    "hangs",
                    () -> {
                      asked.incrementAndGet();
                      return hangs;
                    },
                    (to, value) -> to.add(VALUE, value, "hangs")),
                new LoopSource.Asked<>(
                    "s",
                    "works",
                    () -> CompletableFuture.completedFuture(2),
                    (to, value) -> to.add(VALUE, value, "works"))));
    Samples first = new Samples();
    source.collect(first);
    source.collect(new Samples());
    assertThat(asked).hasValue(1);
    assertThat(values(first, LoopSource.ANSWERS))
        .containsExactly("[s, hangs]=0.0", "[s, works]=1.0");
    assertThat(values(first, VALUE)).containsExactly("[works]=2.0");
    hangs.complete(1);
    Samples later = new Samples();
    source.collect(later);
    assertThat(values(later, VALUE)).containsExactly("[hangs]=1.0", "[works]=2.0");
  }

  private static List<String> values(Samples samples, Metric metric) {
    return samples.all().get(metric).stream()
        .map(each -> each.labels() + "=" + ((Samples.Value.Amount) each.value()).value())
        .toList();
  }

  @Test
  void beyondThisMachineAProofIsNeeded() {
    MetricsOptions everywhere =
        new MetricsOptions(new io.forebay.wire.Address.Inet("0.0.0.0", 0), false, Set.of());
    assertThatThrownBy(
            () ->
                MetricsService.open(
                    "server", everywhere, false, null, new io.forebay.metrics.Registry()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without TLS");
  }

  @Test
  void usersReadIfTheOperatorNamesThem() {
    Set<Integer> users = Set.of(998);
    assertThat(reads(CertificateName.Role.ADMIN, "a", users)).isTrue();
    assertThat(reads(CertificateName.Role.MANAGER, "m", users)).isTrue();
    assertThat(reads(CertificateName.Role.SERVER, "s", users)).isTrue();
    assertThat(reads(CertificateName.Role.USER, "998", users)).isTrue();
    assertThat(reads(CertificateName.Role.USER, "999", users)).isFalse();
    assertThat(reads(CertificateName.Role.USER, "0998", users)).isFalse();
    assertThat(reads(CertificateName.Role.AGENT, "998", users)).isFalse();
  }

  private static boolean reads(CertificateName.Role role, String name, Set<Integer> users) {
    return MetricsTls.isReader(new CertificateName(role, name), users);
  }
}
