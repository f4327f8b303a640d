// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import io.forebay.base.series.Series;
import io.forebay.client.core.ClientCore;
import io.forebay.client.failure.Failures;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.FileTree;
import io.forebay.client.file.TreeWalk;
import io.forebay.client.loop.ClientLoop;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds checkpoints and tells which are complete. Names group files into checkpoints, the home of
 * the tree knows which files are closed, and servers know which bytes they have. Any thread, one at
 * a time.
 */
public final class CheckpointSearch {
  private static final int READ_BYTES = 4 * 1024 * 1024;

  private record Part(String path, FileStat stat) {}

  /** A checkpoint and its parts. */
  private static final class Found {
    final Series.Checkpoint names;
    final List<Part> parts = new ArrayList<>();
    Checkpoint told;

    Found(Series.Checkpoint names, Checkpoint told) {
      this.names = names;
      this.told = told;
    }
  }

  private final FileTree tree;
  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;
  private final CheckpointQuery query;
  private final Map<Long, Names.Standing> standings = new HashMap<>();

  public CheckpointSearch(
      FileTree tree, ClientLoop loop, ClientCore core, Identity who, CheckpointQuery query) {
    this.tree = tree;
    this.loop = loop;
    this.core = core;
    this.who = who;
    this.query = query;
  }

  /** All of them, by series and number. */
  public List<Checkpoint> all() throws IOException {
    List<Found> found = find();
    checkAll(found.stream().filter(each -> each.told.isComplete()).toList(), query.check());
    return found.stream().map(each -> each.told).toList();
  }

  /**
   * The newest complete and intact checkpoint: within a series by number, among several series by
   * the time of the last write. Only candidates are checked thoroughly.
   */
  public Optional<Checkpoint> latest() throws IOException {
    Checkpoint latest = null;
    for (List<Found> series : candidates(find()).values()) {
      Checkpoint newest = newest(series);
      if (newest == null) continue;
      if (latest == null || newest.written().isAfter(latest.written())) latest = newest;
    }
    return Optional.ofNullable(latest);
  }

  private @Nullable Checkpoint newest(List<Found> series) throws IOException {
    for (int i = series.size() - 1; i >= 0; i--) {
      Found each = series.get(i);
      if (!each.told.isComplete()) continue;
      checkAll(List.of(each), query.check());
      if (each.told.isComplete()) return each.told;
    }
    return null;
  }

  /** Names that say they are checkpoints count before others with a number in them. */
  private static Map<String, List<Found>> candidates(List<Found> found) {
    boolean anyLikely = found.stream().anyMatch(each -> each.names.likely());
    Map<String, List<Found>> bySeries = new TreeMap<>();
    for (Found each : found) {
      if (anyLikely && !each.names.likely()) continue;
      bySeries.computeIfAbsent(each.names.series(), key -> new ArrayList<>()).add(each);
    }
    boolean anySeveral = bySeries.values().stream().anyMatch(series -> series.size() > 1);
    if (!anyLikely && anySeveral) bySeries.values().removeIf(series -> series.size() == 1);
    return bySeries;
  }

  // Finding files.

  private List<Found> find() throws IOException {
    TreeMap<String, FileStat> names = new TreeMap<>();
    for (Iterator<DirectoryEntry> each = tree.list(query.path()); each.hasNext(); ) {
      DirectoryEntry entry = each.next();
      if (entry.stat().isFile() || entry.stat().isDirectory())
        names.put(entry.name(), entry.stat());
    }
    List<Found> found = new ArrayList<>();
    for (Series.Checkpoint checkpoint : Series.of(names.keySet(), query.patterns())) {
      found.add(gather(checkpoint, names));
    }
    askStandings(found);
    Map<String, Integer> filesBefore = new HashMap<>();
    for (int i = 0; i < found.size(); i++) {
      Found each = found.get(i);
      String series = each.names.series();
      boolean newest = i + 1 == found.size() || !found.get(i + 1).names.series().equals(series);
      judge(each, newest ? filesBefore.getOrDefault(series, 0) : 0);
      filesBefore.put(series, each.parts.size());
    }
    return found;
  }

  private Found gather(Series.Checkpoint checkpoint, Map<String, FileStat> names)
      throws IOException {
    String top = query.path().endsWith("/") ? query.path() : query.path() + "/";
    List<Part> parts = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    Instant written = Instant.EPOCH;
    for (String name : checkpoint.names()) {
      FileStat stat = names.get(name);
      if (stat == null) continue;
      String path = top + name;
      paths.add(path);
      if (stat.isFile()) parts.add(new Part(path, stat));
      else if (written.isBefore(stat.modifyTime())) written = stat.modifyTime();
      if (stat.isDirectory()) addBelow(path, parts);
    }
    long bytes = 0;
    if (!parts.isEmpty()) written = Instant.EPOCH;
    for (Part part : parts) {
      bytes += part.stat.sizeBytes();
      if (written.isBefore(part.stat.modifyTime())) written = part.stat.modifyTime();
    }
    Found found =
        new Found(
            checkpoint,
            new Checkpoint(
                checkpoint.series(),
                checkpoint.number(),
                paths,
                parts.size(),
                bytes,
                Checkpoint.State.COMPLETE,
                "",
                Checkpoint.Place.BUFFER,
                written));
    found.parts.addAll(parts);
    return found;
  }

  private void addBelow(String directory, List<Part> parts) throws IOException {
    try {
      TreeWalk.files(tree, directory, (path, stat) -> parts.add(new Part(path, stat)));
    } catch (NoSuchFileException gone) {
      // The checkpoint is being removed. Its remaining files have no standing, and the result says
      // so.
      parts.removeIf(part -> part.path.startsWith(directory + "/"));
    }
  }

  private void askStandings(List<Found> found) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Found each : found) {
      for (Part part : each.parts) {
        numbers.add(part.stat.number());
        if (numbers.size() == Names.STANDINGS_MAX) ask(numbers);
      }
    }
    if (!numbers.isEmpty()) ask(numbers);
  }

  /** Asks for a batch, and empties it. */
  private void ask(List<Long> numbers) throws IOException {
    Names.GetStandings question = new Names.GetStandings(List.copyOf(numbers));
    numbers.clear();
    Names.StandingsAre told =
        loop.call(query.path(), () -> core.ask(who, root -> question, Names.StandingsAre.class));
    for (Names.Standing each : told.files()) standings.put(each.file(), each);
  }

  // Judging checkpoints.

  private void judge(Found found, int filesBefore) {
    boolean buffered = true;
    boolean stored = true;
    Part written = null;
    Part left = null;
    for (Part part : found.parts) {
      Names.Standing standing = standings.get(part.stat.number());
      boolean isWritten = standing == null || standing.written();
      if (isWritten && written == null) written = part;
      if (standing != null && standing.left() && left == null) left = part;
      buffered &= standing != null && standing.buffered();
      stored &= standing != null && standing.stored();
    }
    Checkpoint told = found.told.at(placeOf(buffered, stored));
    int files = told.files();
    int wanted = query.files() > 0 ? query.files() : filesBefore;
    if (written != null) {
      told = told.found(Checkpoint.State.WRITTEN, "'" + written.path + "' is still written");
    } else if (left != null && !query.left()) {
      told =
          told.found(
              Checkpoint.State.LEFT, "the writer of '" + left.path + "' ended without closing it");
    } else if (told.bytes() == 0) {
      told = told.found(Checkpoint.State.EMPTY, "there are no bytes in it");
    } else if (files < wanted) {
      told =
          told.found(
              Checkpoint.State.FEW,
              query.files() > 0
                  ? "it has %d of %d files".formatted(files, wanted)
                  : "it has %d files, the one before has %d".formatted(files, wanted));
    }
    found.told = told;
  }

  private static Checkpoint.Place placeOf(boolean buffered, boolean stored) {
    if (buffered) return stored ? Checkpoint.Place.BOTH : Checkpoint.Place.BUFFER;
    return stored ? Checkpoint.Place.STORE : Checkpoint.Place.MIXED;
  }

  // Whether the bytes are there.

  private void checkAll(List<Found> found, CheckpointQuery.Check check) throws IOException {
    if (check == CheckpointQuery.Check.READ) {
      for (Found each : found) readAll(each);
      return;
    }
    Map<String, Found> byPath = new HashMap<>();
    LossSearch search =
        new LossSearch(
            loop,
            core,
            who,
            check == CheckpointQuery.Check.COMPARED,
            lost -> {
              Found hit = byPath.get(lost.name());
              if (hit != null && hit.told.state() != Checkpoint.State.DAMAGED) lose(hit, lost);
            });
    for (Found each : found) {
      for (Part part : each.parts) {
        byPath.put(part.path, each);
        try {
          search.file(part.path, part.stat.number());
        } catch (FileRefusedException | NoSuchFileException gone) {
          each.told = each.told.found(Checkpoint.State.WRITTEN, part.path + " was removed");
        }
      }
    }
    search.finish();
    for (Found each : found) {
      if (each.told.isComplete()) touchStore(each);
    }
  }

  private static void lose(Found found, LostRange lost) {
    String range =
        "bytes %d to %d of '%s'"
            .formatted(lost.offset(), lost.offset() + lost.lengthBytes() - 1, lost.name());
    found.told =
        lost.awaited()
            ? found.told.found(Checkpoint.State.AWAY, range + " are on servers that do not answer")
            : found.told.found(Checkpoint.State.DAMAGED, range + " are lost");
  }

  /**
   * Reads one byte of each part that only the backing store has. That shows that the file exists
   * and is not another one.
   */
  private void touchStore(Found found) {
    for (Part part : found.parts) {
      Names.Standing standing = standings.get(part.stat.number());
      boolean only = standing != null && !standing.buffered() && part.stat.sizeBytes() > 0;
      if (only && !read(found, part, part.stat.sizeBytes() - 1)) return;
    }
  }

  private void readAll(Found found) {
    List<Part> inOrder = new ArrayList<>(found.parts);
    inOrder.sort(Comparator.comparing(Part::path));
    for (Part part : inOrder) {
      if (!read(found, part, 0)) return;
    }
  }

  /** Reads a file from an offset on. On failure, records the reason and returns false. */
  private boolean read(Found found, Part part, long from) {
    try (FileTree.Content file = tree.open(part.path)) {
      ByteBuffer into =
          ByteBuffer.allocate((int) Math.min(READ_BYTES, part.stat.sizeBytes() - from + 1));
      long at = from;
      while (at < part.stat.sizeBytes()) {
        int read = file.read(into.clear(), at);
        if (read <= 0) {
          found.told = found.told.found(Checkpoint.State.WRITTEN, part.path + " became shorter");
          return false;
        }
        at += read;
      }
      return true;
    } catch (IOException e) {
      ErrorCode code = Failures.codeOf(e);
      boolean away = code == ErrorCode.UNAVAILABLE || code == ErrorCode.BUSY;
      found.told =
          found.told.found(
              away ? Checkpoint.State.AWAY : Checkpoint.State.DAMAGED,
              "'" + part.path + "' cannot be read: " + e.getMessage());
      return false;
    }
  }
}
