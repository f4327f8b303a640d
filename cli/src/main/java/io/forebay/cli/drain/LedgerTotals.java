// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.cli.terminal.Brief;
import io.forebay.client.durability.Ledger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The totals of a ledger.
 *
 * @param bufferedFiles including files that wait for their turn or for the operator
 * @param doneBytes of files that are being drained
 */
record LedgerTotals(
    long bufferedFiles,
    long bufferedBytes,
    long drainingFiles,
    long drainingBytes,
    long doneBytes,
    long durableFiles,
    long durableBytes) {
  static LedgerTotals of(List<Ledger.Entry> entries) {
    long[] files = new long[3];
    long[] bytes = new long[3];
    long done = 0;
    for (Ledger.Entry entry : entries) {
      int kind =
          switch (entry.state()) {
            case BUFFERED, WAITING, CHANGED -> 0;
            case DRAINING, NAMING -> 1;
            case DURABLE -> 2;
          };
      files[kind]++;
      bytes[kind] += entry.sizeBytes();
      if (kind == 1) done += entry.storedBytes();
    }
    return new LedgerTotals(files[0], bytes[0], files[1], bytes[1], done, files[2], bytes[2]);
  }

  /** In one line. */
  String sentence(long bytesPerSecond) {
    String draining =
        drainingFiles == 0
            ? "draining nothing"
            : "draining %s of %s%s%s"
                .formatted(
                    Brief.size(doneBytes),
                    Brief.size(drainingBytes),
                    files(drainingFiles),
                    bytesPerSecond == 0 ? "" : " at " + Brief.size(bytesPerSecond) + "/s");
    return "buffered %s%s; %s; durable %s%s"
        .formatted(
            Brief.size(bufferedBytes),
            files(bufferedFiles),
            draining,
            Brief.size(durableBytes),
            files(durableFiles));
  }

  private static String files(long number) {
    return " in " + Brief.counted(number, "file");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bufferedFiles", bufferedFiles);
    json.put("bufferedBytes", bufferedBytes);
    json.put("drainingFiles", drainingFiles);
    json.put("drainingBytes", drainingBytes);
    json.put("doneBytes", doneBytes);
    json.put("durableFiles", durableFiles);
    json.put("durableBytes", durableBytes);
    return json;
  }
}
