// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.Forebay;
import io.forebay.client.file.FileStat;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StagedPath;
import io.forebay.client.stage.StagedPaths;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest stage of paths, for one call. A file belongs to the newest stage among its own
 * and those of the directories above it. An entry of a file that was removed since is passed over.
 */
final class StageSearch {
  private static final Logger LOG = LoggerFactory.getLogger(StageSearch.class);

  private final Forebay client;
  private final Staging staging;
  private final StagedPaths paths;

  /** Each stage is asked for once. */
  private final Map<String, Optional<StageStatus>> statuses = new HashMap<>();

  private final Map<String, List<StageProblem>> problems = new HashMap<>();

  StageSearch(Forebay client, Staging staging) {
    this.client = client;
    this.staging = staging;
    this.paths = staging.paths();
  }

  /** The stage of a file. */
  FoundStage file(String path) throws IOException, CallFailed {
    FoundStage found = covering(path);
    if (found == null) throw neverStaged(path);
    return found;
  }

  /** The same, or null. */
  @Nullable FoundStage covering(String path) throws IOException {
    FoundStage newest = null;
    for (String each = path; ; each = parent(each)) {
      StagedPath entry = paths.get(each);
      if (entry != null && isNewer(entry, path, newest)) {
        FoundStage found = found(path, entry);
        if (isCurrent(found)) newest = found;
      }
      if (each.equals("/")) return newest;
    }
  }

  /** Whether an entry is about a path, and later than what was found before. */
  private static boolean isNewer(StagedPath entry, String path, @Nullable FoundStage before) {
    boolean applies = entry.path().equals(path) || entry.kind() == StagedPath.Kind.DIRECTORY;
    return applies && (before == null || entry.createdNanos() > before.entry().createdNanos());
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** The stages at and below a directory, or that of a directory above it. */
  List<FoundStage> directory(String path) throws IOException, CallFailed {
    List<FoundStage> found = within(path);
    if (!found.isEmpty()) return found;
    FoundStage above = covering(path);
    if (above == null) throw neverStaged(path);
    return List.of(above);
  }

  /** The stages at and below a directory. */
  List<FoundStage> within(String path) throws IOException {
    List<StagedPath> entries = paths.within(path);
    Map<String, StagedPath> directories = new HashMap<>();
    for (StagedPath entry : entries) {
      if (entry.kind() == StagedPath.Kind.DIRECTORY) directories.put(entry.path(), entry);
    }
    List<FoundStage> found = new ArrayList<>();
    for (StagedPath entry : entries) {
      if (isSuperseded(entry, directories)) continue;
      FoundStage each = found(entry.path(), entry);
      if (isCurrent(each)) found.add(each);
      else forget(entry);
    }
    return found;
  }

  /** Whether a directory above it was staged later. */
  private static boolean isSuperseded(StagedPath entry, Map<String, StagedPath> directories) {
    for (String each = entry.path(); !each.equals("/"); ) {
      each = parent(each);
      StagedPath above = directories.get(each);
      if (above != null && above.createdNanos() > entry.createdNanos()) return true;
    }
    return false;
  }

  private FoundStage found(String path, StagedPath entry) throws IOException {
    return new FoundStage(path, entry, status(entry.stage()));
  }

  private @Nullable StageStatus status(String id) throws IOException {
    Optional<StageStatus> known = statuses.get(id);
    if (known == null) {
      known = Optional.ofNullable(staging.find(id));
      statuses.put(id, known);
    }
    return known.orElse(null);
  }

  /** The problems of a stage that failed. */
  List<StageProblem> problems(FoundStage found) throws IOException {
    if (!found.isUnsuccessful()) return List.of();
    List<StageProblem> known = problems.get(found.entry().stage());
    if (known == null) {
      known = staging.problems(found.entry().stage());
      problems.put(found.entry().stage(), known);
    }
    return known;
  }

  /** Whether the file that was staged is still there. */
  private boolean isCurrent(FoundStage found) throws IOException {
    boolean out = found.entry().direction() == StageRequest.Direction.OUT;
    if (found.isActive() || found.isDeferred()) return true;
    // A stage in makes the file when it is complete.
    if (!out && found.isUnsuccessful()) return true;
    FileStat there = stat(found.path());
    if (there == null) return false;
    boolean own = found.path().equals(found.entry().path());
    return !out || !own || there.number() == found.entry().file();
  }

  private @Nullable FileStat stat(String path) throws IOException {
    try {
      return client.stat(path);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private void forget(StagedPath entry) throws IOException {
    try {
      paths.remove(entry.path());
    } catch (AccessDeniedException e) {
      LOG.debug("the entry of '{}' stays: this user may not remove it", entry.path());
    }
  }

  private CallFailed neverStaged(String path) throws IOException {
    return stat(path) == null
        ? new CallFailed(ErrorNumbers.ENOENT, "'%s' does not exist".formatted(path))
        : new CallFailed(ErrorNumbers.EINVAL, "'%s' was not staged".formatted(path));
  }
}
