// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import io.forebay.base.FileId;
import io.forebay.simulation.history.check.HistoryChecker;
import java.util.ArrayList;
import java.util.List;

/** Writes histories by hand: each call takes one step of time. */
final class Script {
  static final FileId FILE = new FileId(1, 7);
  static final FileId OTHER_FILE = new FileId(1, 8);

  private final History history = new History();
  private long nowNanos;

  List<Violation> check() {
    return HistoryChecker.check(history);
  }

  Operation begin(int client, Action action) {
    nowNanos += 1_000_000;
    return history.begin(client, action, nowNanos);
  }

  void end(Operation operation, Ending ending) {
    nowNanos += 1_000_000;
    history.end(operation, ending, nowNanos);
  }

  Script did(int client, Action action) {
    return did(client, action, new Ending.Done());
  }

  Script did(int client, Action action, Ending ending) {
    end(begin(client, action), ending);
    return this;
  }

  Script unknown(int client, Action action) {
    return did(client, action, new Ending.Unknown());
  }

  static Action write(long value, long from, long to) {
    return new Action.Write(FILE, from, to - from, value);
  }

  static Action publish() {
    return new Action.Publish(FILE);
  }

  static Action close() {
    return new Action.Close(FILE);
  }

  static Action truncate(long sizeBytes) {
    return new Action.Truncate(FILE, sizeBytes);
  }

  static Action punch(long from, long to) {
    return new Action.Punch(FILE, from, to - from);
  }

  static Action read(long from, long to) {
    return new Action.Read(FILE, from, to - from);
  }

  /** A read that saw values from an offset on, each over so many bytes. */
  Script saw(int client, long from, long bytesEach, long... values) {
    Operation read = begin(client, read(from, from + bytesEach * values.length));
    end(read, runs(from, bytesEach, values));
    return this;
  }

  static Ending runs(long from, long bytesEach, long... values) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      runs.add(new Run(from + i * bytesEach, bytesEach, values[i]));
    }
    return new Ending.Saw(runs);
  }
}
