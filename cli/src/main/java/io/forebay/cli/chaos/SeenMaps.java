// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.Bytes;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The maps that managers and servers have shown: no two of one epoch may differ (P33). */
final class SeenMaps {
  /** The first ones tell what has gone wrong; more would only fill the memory. */
  static final int CONFLICTS_MAX = 100;

  private record Seen(Bytes content, String source) {}

  // Looked up only.
  private final Map<Long, Seen> seen = new HashMap<>();
  private final List<String> conflicts = new ArrayList<>();

  /** A manager or a server has shown a map; null for none. */
  synchronized void saw(String source, @Nullable RingMap map) {
    if (map == null) return;
    Bytes content = RingMapCodec.write(map);
    Seen before = seen.putIfAbsent(map.epoch(), new Seen(content, source));
    if (before == null || before.content.equals(content)) return;
    if (conflicts.size() >= CONFLICTS_MAX) return;
    conflicts.add(
        "%s has another map of epoch %d than %s".formatted(source, map.epoch(), before.source));
  }

  /** How many epochs there were maps of. */
  synchronized int epochs() {
    return seen.size();
  }

  /** Which of them differ, as sentences: the first ones. */
  synchronized List<String> conflicts() {
    return List.copyOf(conflicts);
  }
}
