// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.core.retry.Backoff;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StagedPath.Kind;
import io.forebay.client.stage.Staging;
import io.forebay.job.service.Command.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Looks at stages by path, waits for them and ends them, for one call. */
final class StageQueries {
  /** Behind this time a call that waits answers "not yet", and the program asks again. */
  static final Duration WAIT_MAX = Duration.ofSeconds(20);

  private static final Duration CANCEL_MAX = Duration.ofSeconds(10);
  private static final Backoff PAUSES =
      Backoff.exact(TimeUnit.MILLISECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(500));

  private final Connection connection;
  private final Staging staging;

  StageQueries(Connection connection) {
    this.connection = connection;
    this.staging = connection.staging();
  }

  private StageSearch search() {
    return new StageSearch(connection.client(), staging);
  }

  /** The stages of the paths of a call. */
  private static List<FoundStage> select(StageSearch search, Kind kind, List<String> paths)
      throws IOException, CallFailed {
    List<FoundStage> found = new ArrayList<>();
    for (String path : paths) {
      if (kind == Kind.DIRECTORY) found.addAll(search.directory(path));
      else found.add(search.file(path));
    }
    return found;
  }

  StageCounts count(Kind kind, List<String> paths) throws IOException, CallFailed {
    StageSearch search = search();
    List<FoundStage> found = select(search, kind, paths);
    Set<String> whole = wholeLists(found);
    Set<String> counted = new HashSet<>();
    StageCounts sum = StageCounts.NONE;
    for (FoundStage each : found) {
      String stage = each.entry().stage();
      if (whole.contains(stage)) {
        if (counted.add(stage)) sum = sum.plus(listCounts(each));
      } else {
        boolean all = kind == Kind.DIRECTORY && each.isDirectory();
        sum = sum.plus(all ? each.countAll() : each.countFile(search.problems(each)));
      }
    }
    return sum;
  }

  private static StageCounts listCounts(FoundStage list) {
    return list.isDeferred() || list.status() == null
        ? times(list.countAll(), list.entry().members())
        : list.countAll();
  }

  private static StageCounts times(StageCounts one, long count) {
    return new StageCounts(one.complete() * count, 0, one.deferred() * count, 0);
  }

  /** Lists of which all files are among those that were asked for. */
  private static Set<String> wholeLists(List<FoundStage> found) {
    Map<String, Set<String>> files = new HashMap<>();
    for (FoundStage each : found) {
      if (each.entry().kind() != Kind.LISTED) continue;
      files.computeIfAbsent(each.entry().stage(), none -> new HashSet<>()).add(each.path());
    }
    Set<String> whole = new HashSet<>();
    for (FoundStage each : found) {
      Set<String> there = files.get(each.entry().stage());
      if (there != null && there.size() == each.entry().members()) whole.add(each.entry().stage());
    }
    return whole;
  }

  /** Waits until no stage is active; fails with the number of the first failure. */
  void await(Kind kind, List<String> paths, Presence presence) throws IOException, CallFailed {
    long startNanos = System.nanoTime();
    StageSearch search = search();
    List<FoundStage> found = select(search, kind, paths);
    boolean deferred = found.stream().allMatch(FoundStage::isDeferred);
    if (deferred) {
      throw new CallFailed(ErrorNumbers.EINVAL, "the stage is deferred, and is not active");
    }
    Set<String> active = new HashSet<>();
    for (FoundStage each : found) if (each.isActive()) active.add(each.entry().stage());
    boolean waited = !active.isEmpty();
    for (int pauses = 1; !active.isEmpty(); pauses++) {
      boolean late = System.nanoTime() - startNanos > WAIT_MAX.toNanos();
      if (late || !presence.isWaiting()) {
        throw new CallFailed(ErrorNumbers.EINPROGRESS, "the stage goes on");
      }
      pause(PAUSES.nanos(pauses));
      for (String id : List.copyOf(active)) {
        StageStatus now = staging.find(id);
        if (now == null || now.state().isOver()) active.remove(id);
      }
    }
    if (waited) {
      search = search();
      found = select(search, kind, paths);
    }
    for (FoundStage each : found) {
      int failure = each.failure(search.problems(each));
      if (failure != 0) {
        throw new CallFailed(failure, "the stage of '%s' failed".formatted(each.path()));
      }
    }
  }

  private static void pause(long nanos) throws CallFailed {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailed(ErrorNumbers.EINPROGRESS, "the agent stops");
    }
  }

  /** Ends what is active or deferred, and forgets what failed. */
  void terminate(Kind kind, List<String> paths) throws IOException, CallFailed {
    StageSearch search = search();
    List<FoundStage> ended =
        whole(
            select(search, kind, paths),
            each -> each.isActive() || each.isDeferred() || each.isUnsuccessful());
    cancel(ended);
  }

  /** Gives deferred stages up. */
  void revoke(Kind kind, List<String> paths) throws IOException, CallFailed {
    cancel(whole(select(search(), kind, paths), FoundStage::isDeferred));
  }

  /** Begins deferred stages now. */
  void activate(Kind kind, List<String> paths) throws IOException, CallFailed {
    Set<String> begun = new HashSet<>();
    for (FoundStage each : whole(select(search(), kind, paths), FoundStage::isDeferred)) {
      String id = each.entry().stage();
      if (begun.add(id)) staging.runDeferred(id);
    }
  }

  private interface Condition {
    boolean holds(FoundStage found);
  }

  /** Those of a condition; a stage ends and begins as a whole. */
  private static List<FoundStage> whole(List<FoundStage> all, Condition condition)
      throws CallFailed {
    List<FoundStage> found = new ArrayList<>();
    for (FoundStage each : all) if (condition.holds(each)) found.add(each);
    if (found.isEmpty()) {
      throw new CallFailed(ErrorNumbers.EINVAL, "no stage there is in that state");
    }
    Set<String> lists = wholeLists(found);
    for (FoundStage each : found) {
      if (each.isAlone() || lists.contains(each.entry().stage())) continue;
      throw new CallFailed(
          ErrorNumbers.EOPNOTSUPP,
          "'%s' is staged together with other files, and can only be ended with all of them"
              .formatted(each.path()));
    }
    return found;
  }

  private void cancel(List<FoundStage> found) throws IOException {
    Set<String> cancelled = new HashSet<>();
    for (FoundStage each : found) {
      if (cancelled.add(each.entry().stage())) staging.cancel(each.entry().stage());
    }
    for (FoundStage each : found) {
      if (each.isActive()) staging.await(each.entry().stage(), CANCEL_MAX, status -> {});
      staging.paths().remove(each.entry().path());
    }
  }

  /** A path and why it is not staged. */
  record Failure(String path, int number) {}

  /** The failures at and below a directory. */
  List<Failure> failures(String directory) throws IOException {
    StageSearch search = search();
    List<Failure> failures = new ArrayList<>();
    for (FoundStage each : search.within(directory)) {
      List<StageProblem> problems = search.problems(each);
      int own = failures.size();
      if (each.isDirectory()) {
        for (StageProblem problem : problems) {
          if (!problem.failed()) continue;
          int number = ErrorNumbers.ofSentence(problem.reason());
          failures.add(new Failure(each.insideOf(problem), number));
        }
      }
      int number = each.failure(problems);
      if (failures.size() == own && number != 0) failures.add(new Failure(each.path(), number));
    }
    return failures;
  }
}
