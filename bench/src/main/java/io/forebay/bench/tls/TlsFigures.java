// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.transfer.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The results of one size: rates and processor time of each way, next to those of others. */
final class TlsFigures {
  /**
   * For the ring with one copy and pieces of 1 MiB, next to the faster of the two bare engines.
   * This is stricter than next to an {@code SSLSocket}, which is the bare TLS socket of most
   * programs.
   */
  private static final double AIM = 0.80;

  private static final List<Way> ENGINES = List.of(Way.BARE_ENGINE_HEAP, Way.BARE_ENGINE_DIRECT);

  private static final List<Way> BARE_TLS =
      List.of(Way.BARE_ENGINE_HEAP, Way.BARE_ENGINE_DIRECT, Way.BARE_SSL_SOCKET);

  private final String size;
  private final Map<Way, List<Cost>> costs;
  private final List<Result> results = new ArrayList<>();

  private TlsFigures(String size, Map<Way, List<Cost>> costs) {
    this.size = size;
    this.costs = costs;
  }

  static List<Result> of(int payloadBytes, Map<Way, List<Cost>> costs) {
    TlsFigures figures = new TlsFigures(Rate.sizeName(payloadBytes), costs);
    figures.add(payloadBytes == TlsScale.MIB);
    return figures.results;
  }

  private void add(boolean aims) {
    Way bare = fastest();
    for (Way way : BARE_TLS) results.add(rate(way, Way.BARE_PLAIN));
    results.add(rate(Way.LINK_DIRECT, Way.LINK_HEAP));
    results.add(rate(Way.LINK_HEAP, bare));
    results.add(rate(Way.RING_PLAIN, Way.BARE_PLAIN));
    results.add(rate(Way.RING_PLAIN_COPIED, Way.BARE_PLAIN));
    Result aimed = rate(Way.RING_TLS, bare);
    results.add(aims ? aimed.aimingAt(AIM) : aimed);
    results.add(rate(Way.RING_TLS_COPIED, bare));
    results.add(rate(Way.RING_TLS, Way.BARE_SSL_SOCKET));
    results.add(rate(Way.RING_TLS, Way.RING_PLAIN));
    results.add(rate(Way.RING_TLS_COPIED, Way.RING_PLAIN_COPIED));
    for (Way way : BARE_TLS) results.add(cpu(way, Way.BARE_PLAIN));
    results.add(cpu(Way.LINK_DIRECT, Way.LINK_HEAP));
    results.add(cpu(Way.RING_TLS, bare));
    results.add(cpu(Way.RING_TLS, Way.BARE_SSL_SOCKET));
    results.add(cpu(Way.RING_TLS, Way.RING_PLAIN));
    results.add(cpu(Way.RING_TLS_COPIED, Way.RING_PLAIN_COPIED));
  }

  /** The bare engine that the ring is judged by. */
  private Way fastest() {
    Way fastest = Way.BARE_ENGINE_HEAP;
    for (Way way : ENGINES) {
      if (rates(way).median() > rates(fastest).median()) fastest = way;
    }
    return fastest;
  }

  private Result rate(Way way, Way beside) {
    return Result.of(name("", way, beside), Rate.MIB_PER_SECOND, Better.HIGHER, rates(way))
        .against(beside.title(), rates(beside));
  }

  private Result cpu(Way way, Way beside) {
    return Result.of(name("CPU of ", way, beside), Cost.CPU_UNIT, Better.LOWER, cpu(way))
        .against(beside.title(), cpu(beside));
  }

  /** Names are unique: a way may stand beside two others. */
  private String name(String prefix, Way way, Way beside) {
    String to =
        switch (beside) {
          case RING_PLAIN, RING_PLAIN_COPIED -> " to plain";
          case BARE_SSL_SOCKET -> " to SSLSocket";
          default -> "";
        };
    return prefix + size + " " + way.title() + to;
  }

  private Samples rates(Way way) {
    return Samples.of(of(way), Cost::mibPerSecond);
  }

  private Samples cpu(Way way) {
    return Samples.of(of(way), Cost::cpuSecondsPerGib);
  }

  private List<Cost> of(Way way) {
    List<Cost> found = costs.get(way);
    if (found == null) throw new IllegalStateException(way + " was not measured");
    return found;
  }
}
