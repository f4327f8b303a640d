// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.file.FileStat;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageList;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageRequest.Direction;
import io.forebay.client.stage.StagedPath;
import io.forebay.client.stage.StagedPath.Kind;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts stages of paths, for one call:
 *
 * <ol>
 *   <li>A path of which a stage is active is refused.
 *   <li>The stage is started.
 *   <li>It is recorded as the newest of its paths. If the agent dies before that, the caller gets
 *       an error, and the stage goes on.
 *   <li>An earlier stage of exactly that path that is deferred or failed is given up.
 * </ol>
 */
final class StageStarts {
  private final Connection connection;
  private final Staging staging;
  private final StageSearch search;

  StageStarts(Connection connection) {
    this.connection = connection;
    this.staging = connection.staging();
    this.search = new StageSearch(connection.client(), staging);
  }

  /** Stages a file or directory in. */
  void in(Kind kind, String path, String outside) throws IOException, CallFailed {
    requireKind(kind, path, stat(path));
    String into = kind == Kind.DIRECTORY && path.equals("/") ? "/." : path;
    start(kind, path, outside, 0, StageRequest.in(outside, into));
  }

  /** Stages a file or directory out. */
  void out(Kind kind, String path, String outside, boolean deferred)
      throws IOException, CallFailed {
    FileStat there = existing(kind, path);
    StageRequest request = StageRequest.out(path, outside).withDeferred(deferred);
    start(kind, path, outside, there.number(), request);
  }

  private void start(Kind kind, String path, String outside, long file, StageRequest request)
      throws IOException, CallFailed {
    connection.starts().lock();
    try {
      // 1
      FoundStage earlier = requireIdle(path);
      if (kind == Kind.DIRECTORY) {
        for (FoundStage each : search.within(path)) requireIdle(each);
      }
      // 2
      String id = staging.start(usual(request));
      // 3
      record(new Started(id, kind, request.direction(), 1), path, outside, file);
      // 4
      if (earlier != null) giveUp(earlier);
    } finally {
      connection.starts().unlock();
    }
  }

  /** Stages files into a directory, each under its own name. */
  void listIn(String directory, List<String> outside) throws IOException, CallFailed {
    requireKind(Kind.DIRECTORY, directory, stat(directory));
    List<Member> members = new ArrayList<>();
    for (String source : outside) {
      String path = join(directory, lastName(source));
      requireKind(Kind.FILE, path, stat(path));
      members.add(new Member(path, source, 0, new StageList.Entry(source, path)));
    }
    startList(members, StageRequest.list(Direction.IN));
  }

  /** Stages files out into a directory, each under its own name. */
  void listOut(List<String> paths, String directory, boolean deferred)
      throws IOException, CallFailed {
    List<Member> members = new ArrayList<>();
    for (String path : paths) {
      long file = existing(Kind.FILE, path).number();
      String target = join(directory, lastName(path));
      members.add(new Member(path, target, file, new StageList.Entry(path, target)));
    }
    startList(members, StageRequest.list(Direction.OUT).withDeferred(deferred));
  }

  /** A file of a list. */
  private record Member(String path, String outside, long file, StageList.Entry line) {}

  private void startList(List<Member> members, StageRequest request)
      throws IOException, CallFailed {
    Set<String> targets = new HashSet<>();
    for (Member member : members) {
      if (!targets.add(member.line.destination())) {
        throw new CallFailed(
            ErrorNumbers.EINVAL,
            "two files of the list would be '%s'".formatted(member.line.destination()));
      }
    }
    connection.starts().lock();
    try {
      List<FoundStage> earlier = new ArrayList<>();
      for (Member member : members) {
        FoundStage found = requireIdle(member.path);
        if (found != null) earlier.add(found);
      }
      String id = staging.startEntries(usual(request), members.stream().map(Member::line).toList());
      Started started = new Started(id, Kind.LISTED, request.direction(), members.size());
      for (Member member : members) record(started, member.path, member.outside, member.file);
      for (FoundStage each : earlier) giveUp(each);
    } finally {
      connection.starts().unlock();
    }
  }

  /** Files that exist at the destination are replaced, as DataWarp does. */
  private StageRequest usual(StageRequest request) throws IOException {
    return request.withReplace(true).withConcurrency(staging.paths().concurrency());
  }

  private @Nullable FoundStage requireIdle(String path) throws IOException, CallFailed {
    FoundStage found = search.covering(path);
    if (found != null) requireIdle(found);
    return found;
  }

  private static void requireIdle(FoundStage found) throws CallFailed {
    if (found.isActive()) {
      throw new CallFailed(
          ErrorNumbers.EBUSY,
          "stage %s of '%s' is active".formatted(found.entry().stage(), found.path()));
    }
  }

  /** A stage that was started. */
  private record Started(String id, Kind kind, Direction direction, int members) {}

  private void record(Started started, String path, String outside, long file) throws IOException {
    staging
        .paths()
        .put(
            new StagedPath(
                StagedPath.VERSION,
                path,
                started.id,
                started.kind,
                started.direction,
                outside,
                file,
                started.members,
                StageBoard.nanos(Instant.now())));
  }

  /** Only a stage of exactly that path: one of a directory or list has other files too. */
  private void giveUp(FoundStage earlier) throws IOException {
    boolean unfinished = earlier.isDeferred() || earlier.isUnsuccessful();
    if (unfinished && earlier.isAlone()) staging.cancel(earlier.entry().stage());
  }

  private FileStat existing(Kind kind, String path) throws IOException, CallFailed {
    FileStat there = stat(path);
    if (there == null) {
      throw new CallFailed(ErrorNumbers.ENOENT, "'%s' does not exist".formatted(path));
    }
    requireKind(kind, path, there);
    return there;
  }

  private static void requireKind(Kind kind, String path, @Nullable FileStat there)
      throws CallFailed {
    if (there == null) return;
    boolean wantsDirectory = kind == Kind.DIRECTORY;
    if (there.isDirectory() == wantsDirectory) return;
    throw wantsDirectory
        ? new CallFailed(ErrorNumbers.ENOTDIR, "'%s' is not a directory".formatted(path))
        : new CallFailed(ErrorNumbers.EISDIR, "'%s' is a directory".formatted(path));
  }

  private @Nullable FileStat stat(String path) throws IOException {
    try {
      return connection.client().stat(path);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static String join(String directory, String name) {
    return directory.equals("/") ? "/" + name : directory + "/" + name;
  }

  private static String lastName(String path) throws CallFailed {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.isEmpty()) throw new CallFailed(ErrorNumbers.EISDIR, "'/' in a list of files");
    return name;
  }
}
