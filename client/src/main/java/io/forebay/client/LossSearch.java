package io.forebay.client;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.client.core.ClientCore;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for published bytes that no seat can give: asks every member of each run's group whether it
 * has the record. Any thread, one at a time.
 */
final class LossSearch {
  private static final int RUNS = 4096;
  private static final int ASKED_AT_ONCE = 4096;

  private record Seen(String name, boolean pair, long number, Names.Run run) {}

  /** What one seat says of the records it was asked for; null if it does not answer. */
  private record Answer(@Nullable Map<RecordId, Long> lacking) {}

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;
  private final Consumer<LostRange> lost;
  private final Map<GroupId, List<Seen>> waiting = new TreeMap<>();
  private final Set<SeatId> silent = new LinkedHashSet<>();

  LossSearch(ClientLoop loop, ClientCore core, Identity who, Consumer<LostRange> lost) {
    this.loop = loop;
    this.core = core;
    this.who = who;
    this.lost = lost;
  }

  void file(String path, long number) throws IOException {
    long at = 0;
    while (true) {
      Names.FindRuns find = new Names.FindRuns(number, at, Long.MAX_VALUE - at, RUNS);
      Names.RunsAre runs = loop.call(path, () -> core.ask(who, root -> find, Names.RunsAre.class));
      for (Names.Run run : runs.runs()) see(new Seen(path, false, number, run));
      if (runs.throughOffset() >= runs.sizeBytes() || runs.throughOffset() <= at) return;
      at = runs.throughOffset();
    }
  }

  void pair(String key) throws IOException {
    Names.GetPair get = new Names.GetPair(key, Names.PIECES_MAX);
    Names.PairIs pair = loop.call(key, () -> core.ask(who, root -> get, Names.PairIs.class));
    for (Names.Run run : pair.runs().runs()) see(new Seen(key, true, pair.file(), run));
  }

  private void see(Seen seen) throws IOException {
    List<Seen> same = waiting.computeIfAbsent(seen.run.group(), group -> new ArrayList<>());
    same.add(seen);
    if (same.size() < ASKED_AT_ONCE) return;
    waiting.remove(seen.run.group());
    ask(seen.run.group(), same);
  }

  /** Asks for what was not asked for yet. */
  void finish() throws IOException {
    for (Map.Entry<GroupId, List<Seen>> each : waiting.entrySet()) {
      ask(each.getKey(), each.getValue());
    }
    waiting.clear();
  }

  private void ask(GroupId id, List<Seen> all) throws IOException {
    RingMap map = loop.call(null, () -> CompletableFuture.completedFuture(core.map()));
    Group group = map.group(id);
    List<Answer> answers = new ArrayList<>();
    if (group != null) {
      for (Group.Member member : group.members()) answers.add(ask(member.seat(), all));
    }
    for (Seen seen : all) judge(seen, answers);
  }

  private Answer ask(SeatId seat, List<Seen> all) throws IOException {
    if (silent.contains(seat)) return new Answer(null);
    List<RecordId> records = all.stream().map(seen -> seen.run.record()).distinct().toList();
    try {
      Data.LackingAre told = loop.call(null, () -> core.askHeld(seat, records));
      Map<RecordId, Long> lacking = new LinkedHashMap<>();
      for (Data.Lacking each : told.records()) lacking.put(each.record(), each.sinceNanos());
      return new Answer(lacking);
    } catch (ForebayException e) {
      // It is not asked again: each time would take as long.
      silent.add(seat);
      return new Answer(null);
    }
  }

  private void judge(Seen seen, List<Answer> answers) throws IOException {
    boolean awaited = answers.isEmpty();
    long sinceNanos = Long.MAX_VALUE;
    for (Answer answer : answers) {
      Map<RecordId, Long> lacking = answer.lacking;
      if (lacking == null) {
        awaited = true;
        continue;
      }
      Long since = lacking.get(seen.run.record());
      if (since == null) return;
      if (since > 0) sinceNanos = Math.min(sinceNanos, since);
    }
    if (!stillThere(seen)) return;
    lost.accept(
        new LostRange(
            seen.name,
            seen.pair,
            seen.run.offset(),
            seen.run.lengthBytes(),
            seen.run.group(),
            awaited,
            sinceNanos == Long.MAX_VALUE ? null : FileStat.instant(sinceNanos)));
  }

  /** Whether the record is still part of it: what was replaced meanwhile is gone by right. */
  private boolean stillThere(Seen seen) throws IOException {
    Names.FindRuns find =
        new Names.FindRuns(seen.number, seen.run.offset(), seen.run.lengthBytes(), RUNS);
    try {
      Names.RunsAre runs =
          loop.call(seen.name, () -> core.ask(who, root -> find, Names.RunsAre.class));
      return runs.runs().stream().anyMatch(run -> run.record().equals(seen.run.record()));
    } catch (FileRefusedException | NoSuchFileException gone) {
      return false;
    }
  }
}
