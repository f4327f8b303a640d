// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageList;
import io.forebay.client.stage.StageRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One server's work at one stage: a thread walks through the source and makes directories and
 * links, others copy files. Each start goes through everything; files that are already there are
 * not copied again. Memory does not grow with the number of files.
 */
final class StageWork {
  /** Files that are found and wait to be copied. */
  private static final int WAITING_MAX = 256;

  /** Each level holds a descriptor and a listing. */
  private static final int DEPTH_MAX = 256;

  private static final String DRAFT_PREFIX = ".forebay-stage-";

  /**
   * The work to do.
   *
   * @param attempt the number of this start, on any server, from 1
   */
  record Task(String id, int attempt, StageRequest request) {}

  /** Where files are copied from, and where to. */
  record Route(Side from, Side to) {}

  private final Task task;
  private final Side from;
  private final Side to;
  private final Reasons reasons;
  private final StageTally tally;
  private final boolean clears;
  private final FileCopy copy;
  private final ExecutorService copies;
  private final Semaphore waiting = new Semaphore(WAITING_MAX);
  private final AtomicInteger drafts = new AtomicInteger();

  /**
   * Nothing has begun.
   *
   * @param onlyClears whether nothing is to be copied, and only what an earlier server left behind
   *     removed
   */
  StageWork(Task task, Route route, Reasons reasons, StageTally tally, boolean onlyClears) {
    this.task = task;
    this.from = route.from;
    this.to = route.to;
    this.reasons = reasons;
    this.tally = tally;
    this.clears = onlyClears;
    this.copy = new FileCopy(task.request.replace(), tally, this::draftName);
    this.copies =
        Executors.newFixedThreadPool(
            task.request.concurrency(),
            Thread.ofPlatform().daemon().name("stage-" + task.id + "-copy-", 1).factory());
  }

  /**
   * Stages everything; returns when all is done, or after a request to stop.
   *
   * @param list the lines of a list, or null if it is none
   */
  void run(@Nullable BufferedReader list) {
    try {
      if (list == null) {
        one(task.request.source(), task.request.destination());
      } else {
        StageList entries = new StageList(list);
        for (StageList.Entry next = entries.next(); next != null; next = entries.next()) {
          if (tally.ended()) break;
          one(next.source(), next.destination());
        }
      }
      if (!tally.ended()) tally.counted();
    } catch (IOException e) {
      tally.fail(reasons.sentence(e, task.request.source()));
    } catch (RuntimeException e) {
      tally.fail(reasons.sentence(Reasons.cause(e), task.request.source()));
    } finally {
      finish();
    }
  }

  private void finish() {
    copies.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (copies.awaitTermination(1, TimeUnit.SECONDS)) break;
      } catch (InterruptedException e) {
        // Copies see it at their next bytes, and release their files.
        tally.end();
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** A source that cannot be staged at all ends a stage of one, and is one failure of a list. */
  private void one(String source, String destination) throws IOException {
    try (Side.Found found = from.find(source)) {
      stage(found, source, destination);
    } catch (IOException e) {
      if (!task.request.isList() || Reasons.endsAll(e)) throw e;
      tally.found(0);
      tally.failed(source, reasons.sentence(e, source));
    }
  }

  private void stage(Side.Found found, String source, String destination) throws IOException {
    String target = destination.endsWith("/") ? destination + lastName(source) : destination;
    switch (found) {
      case Side.Found.Directory directory -> {
        try (StageDirectory place = to.directory(target, directory.mode())) {
          walk(directory.place(), place, 0);
        }
      }
      case Side.Found.Other other -> {
        String name = lastName(target);
        if (name.isEmpty()) {
          throw new StageRefused("'%s' is a directory; name the file in it".formatted(target));
        }
        try (StageDirectory place =
            to.directory(target.substring(0, target.lastIndexOf(name)), 0755)) {
          clear(place);
          if (!clears) item(other.parent(), other.item(), place, name, 0);
        }
      }
    }
  }

  private static String lastName(String path) {
    String bare = path.replaceAll("/+$", "");
    return bare.substring(bare.lastIndexOf('/') + 1);
  }

  private void walk(StageDirectory source, StageDirectory target, int depth) throws IOException {
    clear(target);
    try (StageDirectory.Listing items = source.list()) {
      while (!tally.ended() && items.hasNext()) {
        Item item = items.next();
        // A draft of a stage in progress.
        if (item.name().startsWith(DRAFT_PREFIX)) continue;
        item(source, item, target, item.name(), depth);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private void item(StageDirectory source, Item item, StageDirectory target, String name, int depth)
      throws IOException {
    String path = source.pathOf(item.name());
    if (clears && item.kind() != Item.Kind.DIRECTORY) return;
    try {
      switch (item.kind()) {
        case FILE -> file(source, item, target, name, path);
        case DIRECTORY -> directory(source, item, target, name, depth);
        case SYMLINK -> link(source, item, target, name, path);
        case OTHER -> tally.note(path, "it is no file, directory or link, and was left out");
      }
    } catch (IOException e) {
      failed(path, e);
    } catch (RuntimeException e) {
      failed(path, Reasons.cause(e));
    }
  }

  private void failed(String path, IOException e) {
    String sentence = reasons.sentence(e, path);
    tally.failed(path, sentence);
    if (Reasons.endsAll(e)) tally.fail(sentence);
  }

  private void directory(
      StageDirectory source, Item item, StageDirectory target, String name, int depth)
      throws IOException {
    if (depth == DEPTH_MAX) {
      tally.found(0);
      throw new StageRefused("it is more than %d directories deep".formatted(DEPTH_MAX));
    }
    try (StageDirectory inside = source.enter(item.name())) {
      StageDirectory made;
      try {
        made = clears ? target.enter(name) : target.make(name, item.mode());
      } catch (IOException e) {
        if (clears) return;
        throw e;
      }
      try (made) {
        walk(inside, made, depth + 1);
      }
    }
  }

  /** Links are copied as links: their targets are staged only if they are found on their own. */
  private void link(
      StageDirectory source, Item item, StageDirectory target, String name, String path)
      throws IOException {
    tally.found(0);
    String leads = source.readLink(item.name());
    Item there = target.look(name);
    boolean present =
        there != null
            && there.kind() == Item.Kind.SYMLINK
            && Objects.equals(target.readLink(name), leads);
    if (!present) {
      copy.requireReplaceable(there, target.pathOf(name));
      target.link(draftName(), name, leads);
    }
    if (leads.startsWith("/")) {
      tally.note(path, "it is a link to '%s', kept as it is".formatted(leads));
    }
    tally.done(present);
  }

  private void file(
      StageDirectory source, Item item, StageDirectory target, String name, String path)
      throws IOException {
    tally.found(item.sizeBytes());
    if (item.links() > 1) {
      tally.note(
          path, "it has %d names; each is staged as a file of its own".formatted(item.links()));
    }
    try {
      waiting.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tally.end();
      return;
    }
    StageDirectory heldSource = source.hold();
    StageDirectory heldTarget = target.hold();
    copies.execute(
        () -> {
          try (heldSource;
              heldTarget) {
            if (!tally.ended()) copyFile(heldSource, item, heldTarget, name, path);
          } finally {
            waiting.release();
          }
        });
  }

  private void copyFile(
      StageDirectory source, Item item, StageDirectory target, String name, String path) {
    try {
      copy.run(source, item, target, name);
    } catch (FileCopy.Ended e) {
      // Neither done nor failed: the next start finds it again.
      return;
    } catch (IOException e) {
      failed(path, e);
    } catch (RuntimeException e) {
      failed(path, Reasons.cause(e));
    }
  }

  private String draftName() {
    return DRAFT_PREFIX + task.id + "-" + task.attempt + "-" + drafts.incrementAndGet();
  }

  /** Removes leftovers of a server that worked on this stage before. */
  private void clear(StageDirectory target) throws IOException {
    if (task.attempt == 1) return;
    String ofStage = DRAFT_PREFIX + task.id + "-";
    String own = ofStage + task.attempt + "-";
    try (StageDirectory.Listing items = target.list()) {
      while (items.hasNext()) {
        String name = items.next().name();
        if (name.startsWith(ofStage) && !name.startsWith(own)) target.remove(name);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
