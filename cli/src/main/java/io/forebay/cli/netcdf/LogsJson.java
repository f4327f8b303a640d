// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.driver.logging.layout.LogHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Logs as JSON. */
final class LogsJson {
  private LogsJson() {}

  static Map<String, Object> of(List<FoundLog> logs, boolean data) throws IOException {
    long writes = 0;
    long bytes = 0;
    long damaged = 0;
    List<Object> all = new ArrayList<>();
    for (FoundLog log : logs) {
      all.add(log(log, data));
      writes += log.content().entries().size();
      bytes += log.dataBytes();
      damaged += log.damaged();
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("logs", all);
    result.put("writes", writes);
    result.put("dataBytes", bytes);
    result.put("damaged", damaged);
    return result;
  }

  private static Map<String, Object> log(FoundLog log, boolean data) throws IOException {
    LogHeader header = log.content().header();
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("log", log.content().name().entries().toString());
    one.put("file", header.path());
    one.put("rank", header.rank());
    one.put("ranks", header.ranks());
    one.put("sharers", header.sharers());
    one.put("generation", header.generation());
    one.put("inUse", log.inUse());
    one.put("mismatch", log.mismatch());
    List<Object> entries = new ArrayList<>();
    for (int i = 0; i < log.content().entries().size(); i++) {
      entries.add(entry(log, i, data));
    }
    one.put("writes", entries);
    return one;
  }

  private static Map<String, Object> entry(FoundLog log, int number, boolean data)
      throws IOException {
    LogEntry entry = log.content().entries().get(number);
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("variable", log.variable(entry));
    one.put("type", entry.type().cdlName());
    one.put("age", entry.age());
    List<Object> parts = new ArrayList<>();
    for (Subarray part : entry.parts()) parts.add(part(part));
    one.put("parts", parts);
    one.put("dataOffset", entry.dataOffset());
    one.put("dataBytes", entry.dataBytes());
    one.put("sound", log.sound(number));
    if (data && log.sound(number)) {
      List<Object> values = new ArrayList<>();
      log.elements(entry, values::add);
      one.put("data", values);
    }
    return one;
  }

  private static Map<String, Object> part(Subarray part) {
    List<Long> start = new ArrayList<>();
    List<Long> count = new ArrayList<>();
    List<Long> stride = new ArrayList<>();
    for (int d = 0; d < part.dimensions(); d++) {
      start.add(part.start(d));
      count.add(part.count(d));
      stride.add(part.stride(d));
    }
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("start", start);
    one.put("count", count);
    one.put("stride", stride);
    return one;
  }
}
