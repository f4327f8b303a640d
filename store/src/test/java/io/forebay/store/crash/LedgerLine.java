// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;

/**
 * One line of what a workload tells another process while it runs: what it is about to do, and
 * afterwards how that ended. Short enough that the kernel writes it into a pipe whole or not at
 * all.
 */
sealed interface LedgerLine {
  /** The log is open; work begins. */
  record Ready() implements LedgerLine {}

  /** Said before it is tried. */
  record Intent(long number, Level level, Act act) implements LedgerLine {}

  /** Said as soon as it is acknowledged, refused for want of room, or failed. */
  record Outcome(long number, Ending ending) implements LedgerLine {}

  /** A spill or a compaction is about to begin. */
  record Begin(Upkeep upkeep) implements LedgerLine {}

  /** Nothing of it is under way any more. */
  record End(Upkeep upkeep) implements LedgerLine {}

  /** How an intention ended. */
  enum Ending {
    ACKNOWLEDGED,
    REFUSED,
    FAILED
  }

  /** Work on the log that nobody but the store sees. */
  enum Upkeep {
    SPILL,
    COMPACTION
  }

  /** The line's text, read again by {@link #parse}. */
  default String text() {
    return switch (this) {
      case Ready r -> "ready";
      case Intent i -> "intent " + i.number + " " + i.level + " " + text(i.act);
      case Outcome o -> "outcome " + o.number + " " + o.ending;
      case Begin b -> "begin " + b.upkeep;
      case End e -> "end " + e.upkeep;
    };
  }

  static LedgerLine parse(String text) {
    String[] words = text.split(" ");
    return switch (words[0]) {
      case "ready" -> new Ready();
      case "intent" ->
          new Intent(Long.parseLong(words[1]), Level.valueOf(words[2]), parseAct(words, 3));
      case "outcome" -> new Outcome(Long.parseLong(words[1]), Ending.valueOf(words[2]));
      case "begin" -> new Begin(Upkeep.valueOf(words[1]));
      case "end" -> new End(Upkeep.valueOf(words[1]));
      default -> throw new IllegalArgumentException("no line of a ledger: " + text);
    };
  }

  private static String text(Act act) {
    return switch (act) {
      case Act.Write w -> "write " + words(w.record()) + " " + w.payloadBytes();
      case Act.Publish p ->
          "publish %s %d %s %d"
              .formatted(words(p.file()), p.offset(), words(p.record()), p.payloadBytes());
      case Act.Truncate t -> "truncate " + words(t.file()) + " " + t.sizeBytes();
      case Act.Delete d -> "delete " + words(d.file());
      case Act.CleanFile c -> "clean-file " + words(c.file());
      case Act.Kill k -> "kill " + words(k.records());
      case Act.Clean c -> "clean " + words(c.records());
    };
  }

  private static String words(RecordId id) {
    return id.session() + " " + id.sequence();
  }

  private static String words(FileId file) {
    return file.instance() + " " + file.number();
  }

  private static String words(Scope.Records records) {
    return records.session() + " " + records.fromSequence() + " " + records.toSequence();
  }

  private static Act parseAct(String[] words, int at) {
    long[] numbers = new long[words.length - at - 1];
    for (int i = 0; i < numbers.length; i++) numbers[i] = Long.parseLong(words[at + 1 + i]);
    return switch (words[at]) {
      case "write" -> new Act.Write(new RecordId(numbers[0], numbers[1]), (int) numbers[2]);
      case "publish" ->
          new Act.Publish(
              file(numbers), numbers[2], new RecordId(numbers[3], numbers[4]), (int) numbers[5]);
      case "truncate" -> new Act.Truncate(file(numbers), numbers[2]);
      case "delete" -> new Act.Delete(file(numbers));
      case "clean-file" -> new Act.CleanFile(file(numbers));
      case "kill" -> new Act.Kill(records(numbers));
      case "clean" -> new Act.Clean(records(numbers));
      default -> throw new IllegalArgumentException("no act: " + words[at]);
    };
  }

  private static FileId file(long[] numbers) {
    return new FileId((int) numbers[0], numbers[1]);
  }

  private static Scope.Records records(long[] numbers) {
    return new Scope.Records(numbers[0], numbers[1], numbers[2]);
  }
}
