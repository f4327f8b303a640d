// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.recovery;

import io.forebay.base.MonotonicClock;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.recovery.SeatAnswer;
import io.forebay.seat.map.RememberedMap;
import io.forebay.server.machine.Randomness;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogReplacement;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.log.LogId;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Reads the maps that the seats of stopped servers remember. One thread. */
final class SeatLogs {
  private SeatLogs() {}

  /** What the seats in these directories of servers remember. */
  static Map<Path, SeatQuestions.Said> read(List<Path> servers) throws IOException {
    Map<Path, SeatQuestions.Said> all = new LinkedHashMap<>();
    for (Path server : servers) {
      TreeSet<Path> logs = new TreeSet<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(server, "seat-*")) {
        for (Path entry : entries) {
          if (LogReplacement.hasLog(entry)) logs.add(entry);
        }
      } catch (NotDirectoryException e) {
        all.put(server, SeatQuestions.Said.nothing("it is not a directory"));
        continue;
      }
      if (logs.isEmpty()) all.put(server, SeatQuestions.Said.nothing("it holds no seat"));
      for (Path log : logs) all.put(log, readOne(log));
    }
    return all;
  }

  private static SeatQuestions.Said readOne(Path directory) throws IOException {
    try (LogDirectory log =
        LogDirectory.open(
            LogDirectory.Options.existing(directory),
            MonotonicClock.system(),
            Randomness.fresh(),
            StoreEvents.NONE,
            () -> {})) {
      RingMap map = RememberedMap.in(log.store());
      if (map == null) return SeatQuestions.Said.nothing("it remembers no map");
      return new SeatQuestions.Said(
          new SeatAnswer(directory.toString(), seatOf(map, log.id()), map), "");
    } catch (LogUnavailable e) {
      return SeatQuestions.Said.nothing(e.sentence());
    } catch (MalformedFields e) {
      return SeatQuestions.Said.nothing("what it remembers cannot be read: " + e.getMessage());
    }
  }

  private static SeatId seatOf(RingMap map, LogId log) {
    for (SeatEntry seat : map.seats()) {
      if (seat.logHigh() == log.high() && seat.logLow() == log.low()) return seat.id();
    }
    return Statuses.NO_PLACE;
  }
}
