// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.ending;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.durability.Ledger;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What the end of one instance waits for. The servers do the work; this only looks. */
public final class EndWatch {
  private static final long LOOK_MILLIS = 300;

  private final RemoteOptions remote;
  private final Instance instance;

  public EndWatch(RemoteOptions remote, Instance instance) {
    this.remote = remote;
    this.instance = instance;
  }

  /** For each ending instance, what its end waits for, in a sentence. */
  public static List<String> sentences(RemoteOptions remote, List<Instance> instances) {
    List<String> sentences = new ArrayList<>();
    for (Instance each : instances) {
      if (!each.drain().ending()) continue;
      String why = new EndWatch(remote, each).waitsFor();
      sentences.add("'%s' is ending%s".formatted(each.name(), why.isEmpty() ? "" : ": " + why));
    }
    return sentences;
  }

  /** Lets the servers try failed stages again at once. */
  public void retry() throws IOException {
    try (Staging staging = staging()) {
      staging.retryFailed();
    }
  }

  /**
   * Waits until the instance is gone, and shows what it waits for.
   *
   * @throws CommandFailed if a stage out of it has failed
   */
  public void await(Cluster cluster, PrintWriter err) throws IOException, InterruptedException {
    String told = "";
    while (isThere(cluster)) {
      String now = awaitStages(cluster, err);
      if (now.isEmpty() && !instance.drain().isNone()) now = drains();
      // Check again: the ledger of a destroyed instance is not available.
      if (!now.isEmpty() && !now.equals(told) && isThere(cluster)) {
        told = now;
        err.println(now);
        err.flush();
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Waits until no stage is under way; returns what went wrong, or nothing. */
  private String awaitStages(Cluster cluster, PrintWriter err)
      throws IOException, InterruptedException {
    try (Staging staging = staging();
        Progress progress = Progress.of("staging out", err)) {
      while (isThere(cluster)) {
        List<StageStatus> failed = staging.failedAtEnd();
        if (!failed.isEmpty()) {
          String why = failed(failed.getFirst(), name());
          throw new CommandFailed("'%s' is not destroyed, since %s".formatted(name(), why));
        }
        List<StageStatus> open = staging.all().stream().filter(EndWatch::isOpen).toList();
        if (open.isEmpty()) return "";
        progress.update(filesDone(open), Math.max(1, files(open)), staging(open));
        Thread.sleep(LOOK_MILLIS);
      }
      return "";
    } catch (IOException e) {
      return isThere(cluster) ? unknown(e) : "";
    }
  }

  private String name() {
    return instance.name();
  }

  private boolean isThere(Cluster cluster) throws IOException {
    return cluster.instances().stream().anyMatch(each -> each.id() == instance.id());
  }

  private Staging staging() throws IOException {
    return Staging.connect(remote.instanceUri(name()), instance, remote.options());
  }

  /** How to go on after a stage that failed. */
  static String failed(StageStatus stage, String name) {
    return ("stage %s out of it has failed%s; 'forebay stage query %s' shows why, 'forebay instance"
            + " destroy %s' tries it again now, as the servers do at intervals, and with --discard"
            + " gives it up")
        .formatted(
            stage.id(), stage.failure().isEmpty() ? "" : ": " + stage.failure(), stage.id(), name);
  }

  /** What it waits for now; empty if nothing is left to do. */
  String waitsFor() {
    try (Staging staging = staging()) {
      List<StageStatus> failed = staging.failedAtEnd();
      if (!failed.isEmpty()) return failed(failed.getFirst(), name());
      List<StageStatus> open = staging.all().stream().filter(EndWatch::isOpen).toList();
      if (!open.isEmpty()) return staging(open);
    } catch (IOException e) {
      return unknown(e);
    }
    return instance.drain().isNone() ? "" : drains();
  }

  private static boolean isOpen(StageStatus stage) {
    return !stage.state().isOver();
  }

  private static String staging(List<StageStatus> open) {
    return "%s under way, %d of %s done"
        .formatted(
            Brief.counted(open.size(), "stage"),
            filesDone(open),
            Brief.counted(files(open), "file"));
  }

  private static long files(List<StageStatus> stages) {
    return stages.stream().mapToLong(StageStatus::files).sum();
  }

  private static long filesDone(List<StageStatus> stages) {
    return stages.stream().mapToLong(StageStatus::filesDone).sum();
  }

  private String drains() {
    try (Forebay forebay = remote.instance(name())) {
      Ledger ledger = forebay.ledger();
      long open =
          ledger.entries().stream().filter(each -> each.state() != Ledger.State.DURABLE).count();
      if (!ledger.trouble().isEmpty()) return stuck(open, ledger.trouble(), name());
      return open == 0 ? "" : "draining " + Brief.counted(open, "file");
    } catch (IOException e) {
      return unknown(e);
    }
  }

  private String unknown(IOException e) {
    return "it is unknown what is not drained or staged out: %s; %s"
        .formatted(e.getMessage(), howToDiscard(name()));
  }

  /** What is left if the store does not work. */
  static String stuck(long files, String trouble, String name) {
    return "%s not drained: %s; the drain continues when that is fixed, and %s"
        .formatted(Brief.counted(files, "file"), trouble, howToDiscard(name));
  }

  private static String howToDiscard(String name) {
    return "'forebay instance destroy %s --discard' gives up what is not drained".formatted(name);
  }
}
