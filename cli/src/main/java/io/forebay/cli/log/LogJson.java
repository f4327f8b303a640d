// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import io.forebay.store.directory.inspect.LogInspection;
import io.forebay.store.recovery.Finding;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The contents of a log for programs: sizes in bytes, nothing left out. */
final class LogJson {
  private LogJson() {}

  static Map<String, Object> inspection(LogInspection log, boolean segments, boolean files) {
    Map<String, Object> all = identity(log.identity());
    all.put("tiers", log.tiers().stream().map(LogJson::tier).toList());
    if (segments) all.put("segments", log.segments().stream().map(LogJson::segment).toList());
    if (files) all.put("files", log.files().stream().map(LogJson::file).toList());
    all.put("problems", texts(log.problems()));
    return all;
  }

  static Map<String, Object> verification(LogInspection log, long nanos) {
    Map<String, Object> all = identity(log.identity());
    all.put("segments", log.segments().size());
    all.put("records", log.records());
    all.put("bytes", log.bytes());
    all.put("seconds", nanos / 1e9);
    all.put("sound", log.sound());
    all.put("problems", texts(log.problems()));
    all.put("notes", texts(log.notes()));
    return all;
  }

  private static Map<String, Object> identity(LogInspection.Identity identity) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("log", identity.id().toString());
    fields.put("directory", identity.directory().toString());
    fields.put("mode", lower(identity.mode()));
    fields.put("segmentBytes", identity.segmentBytes());
    fields.put("memory", identity.memory().stream().map(Path::toString).toList());
    fields.put("memoryThere", identity.memoryThere());
    fields.put("sameBoot", identity.sameBoot());
    fields.put("anonymousMemory", identity.anonymous());
    fields.put("memorySurvived", identity.memorySurvived());
    return fields;
  }

  private static Map<String, Object> tier(LogInspection.Tier tier) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("tier", tier.name().toLowerCase(Locale.ROOT));
    fields.put("slots", tier.slots());
    fields.put("free", tier.free());
    fields.put("bytes", tier.bytes());
    return fields;
  }

  private static Map<String, Object> segment(LogInspection.Segment segment) {
    LogInspection.ByState bytes = segment.bytes();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("segment", segment.number() == 0 ? null : segment.number());
    fields.put("inMemory", segment.inMemory());
    fields.put("onSsd", segment.onSsd());
    fields.put("stream", lower(segment.stream()));
    fields.put("records", segment.records());
    fields.put("data", segment.data());
    fields.put("journal", segment.journal());
    fields.put("marks", segment.marks());
    fields.put("liveBytes", bytes.live());
    fields.put("cleanBytes", bytes.clean());
    fields.put("deadBytes", bytes.dead());
    fields.put("voidBytes", bytes.voided());
    fields.put("damagedBytes", bytes.damaged());
    fields.put("filledBytes", segment.filledBytes());
    return fields;
  }

  private static Map<String, Object> file(LogInspection.File file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("instance", file.file().instance());
    fields.put("file", file.file().number());
    fields.put("records", file.records());
    fields.put("bytes", file.bytes());
    fields.put("fromOffset", file.records() == 0 ? null : file.fromOffset());
    fields.put("toOffset", file.records() == 0 ? null : file.toOffset());
    fields.put("damagedRecords", file.damaged());
    return fields;
  }

  private static List<String> texts(List<Finding> findings) {
    return findings.stream().map(Finding::toString).toList();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
