// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.store.log.Scope;
import io.forebay.store.tier.StoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a workload is to work on, as the one line that is given to its process.
 *
 * @param memory where the log's memory segments are
 * @param payloadSeed of which all bytes follow
 * @param seed of what the workload does
 * @param session for this run's records; its successor too
 * @param actsMax after so many the workload ends by itself
 * @param forgotten records of earlier runs, which nobody wants any more
 */
record Order(
    Path directory,
    Path memory,
    StoreConfig config,
    long payloadSeed,
    long seed,
    long session,
    int actsMax,
    List<Scope.Records> forgotten) {
  private static final String SEPARATOR = "\t";

  String text() {
    List<String> words =
        new ArrayList<>(
            List.of(
                directory.toString(),
                memory.toString(),
                config.mode().name(),
                Integer.toString(config.segmentBytes()),
                Long.toString(config.memoryBytes()),
                Long.toString(config.ssdBytes()),
                Long.toString(payloadSeed),
                Long.toString(seed),
                Long.toString(session),
                Integer.toString(actsMax)));
    for (Scope.Records records : forgotten) {
      words.add(Long.toString(records.session()));
      words.add(Long.toString(records.fromSequence()));
      words.add(Long.toString(records.toSequence()));
    }
    return String.join(SEPARATOR, words);
  }

  static Order parse(String text) {
    List<String> words = List.of(text.split(SEPARATOR));
    List<Scope.Records> forgotten = new ArrayList<>();
    for (int at = 10; at < words.size(); at += 3) {
      forgotten.add(
          new Scope.Records(
              Long.parseLong(words.get(at)),
              Long.parseLong(words.get(at + 1)),
              Long.parseLong(words.get(at + 2))));
    }
    return new Order(
        Path.of(words.get(0)),
        Path.of(words.get(1)),
        new StoreConfig(
            StoreConfig.Mode.valueOf(words.get(2)),
            Integer.parseInt(words.get(3)),
            Long.parseLong(words.get(4)),
            Long.parseLong(words.get(5)),
            false),
        Long.parseLong(words.get(6)),
        Long.parseLong(words.get(7)),
        Long.parseLong(words.get(8)),
        Integer.parseInt(words.get(9)),
        forgotten);
  }
}
