// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageNote;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.Side;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRefused;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Copies what a task says, on the server that walks and on others alike. Any thread. */
final class TaskCopy {
  /** Gets the files that could not be copied. */
  interface Failed {
    /**
     * One of them.
     *
     * @param index in its part
     */
    void failed(StageNote.Part part, int index, IOException reason);
  }

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** The small files of one thread that wait for the instance while it reads the next ones. */
  private static final int FLIGHT_MAX = 16;

  private final StageWork.Route route;
  private final FileCopy copy;
  private final FileCopy.Tally tally;

  TaskCopy(StageWork.Route route, FileCopy copy, FileCopy.Tally tally) {
    this.route = route;
    this.copy = copy;
    this.tally = tally;
  }

  static StageNote.File file(Item item, String newName) {
    return new StageNote.File(
        item.name(),
        newName,
        item.sizeBytes(),
        StageBoard.nanos(item.modified()),
        item.mode(),
        item.links());
  }

  static Item item(StageNote.File file) {
    Instant modified =
        Instant.ofEpochSecond(
            Math.floorDiv(file.modifyNanos(), NANOS_PER_SECOND),
            Math.floorMod(file.modifyNanos(), NANOS_PER_SECOND));
    return new Item(
        file.name(), Item.Kind.FILE, file.sizeBytes(), modified, file.mode(), file.links());
  }

  /** Copies whole files of a directory, until the stage ends. */
  void files(StageNote.Part part, Failed failed) {
    int next = 0;
    Flight flight = new Flight(part, failed);
    try (StageDirectory source = route.from().at(part.source());
        StageDirectory target = route.to().at(part.target())) {
      for (; next < part.files().size() && !tally.ended(); next++) {
        flight.copy(source, target, next);
      }
      while (!flight.under.isEmpty()) flight.land(source, target);
    } catch (IOException e) {
      for (; next < part.files().size(); next++) failed.failed(part, next, e);
    } catch (RuntimeException e) {
      for (; next < part.files().size(); next++) failed.failed(part, next, Reasons.cause(e));
    }
  }

  /** Small files of a part that the instance has not acknowledged yet. One thread. */
  private final class Flight {
    private record Begun(int index, CompletableFuture<Void> future) {}

    private final StageNote.Part part;
    private final Failed failed;
    private final ArrayDeque<Begun> under = new ArrayDeque<>();

    Flight(StageNote.Part part, Failed failed) {
      this.part = part;
      this.failed = failed;
    }

    void copy(StageDirectory source, StageDirectory target, int index) {
      if (!part.isNew()) {
        copyNow(source, target, index, false);
        return;
      }
      StageNote.File file = part.files().get(index);
      CompletableFuture<Void> begun = null;
      try {
        begun = copy.begin(source, item(file), target, file.newName());
      } catch (FileCopy.Ended e) {
        return;
      } catch (IOException | RuntimeException e) {
        // The second try tells why.
        begun = null;
      }
      if (begun == null) copyNow(source, target, index, true);
      else under.add(new Begun(index, begun));
      while (under.size() >= FLIGHT_MAX) land(source, target);
    }

    /** Waits for the oldest; one that failed is looked at and copied again. */
    void land(StageDirectory source, StageDirectory target) {
      Begun oldest = under.remove();
      try {
        oldest.future.join();
      } catch (CompletionException | CancellationException e) {
        if (!tally.ended()) copyNow(source, target, oldest.index, false);
      }
    }

    private void copyNow(StageDirectory source, StageDirectory target, int index, boolean isNew) {
      StageNote.File file = part.files().get(index);
      try {
        copy.run(source, item(file), target, file.newName(), isNew);
      } catch (FileCopy.Ended e) {
        // Neither done nor failed: the next start finds it again.
        return;
      } catch (IOException e) {
        failed.failed(part, index, e);
      } catch (RuntimeException e) {
        failed.failed(part, index, Reasons.cause(e));
      }
    }
  }

  /** Copies a range of a file into its draft. */
  void range(StageNote.Task task) throws IOException {
    StageNote.Part part = task.parts().get(0);
    Item item = item(part.files().get(0));
    long end = task.offset() + task.lengthBytes();
    try (StageDirectory source = route.from().at(part.source());
        StageDirectory target = route.to().at(part.target())) {
      if (!FileCopy.isUnchanged(source, item)) throw FileCopy.changing();
      try (InputStream in = source.read(item.name(), task.offset());
          StageDirectory.Section draft = target.section(task.draft())) {
        byte[] buffer = new byte[(int) Math.min(FileCopy.BUFFER_BYTES, task.lengthBytes())];
        for (long at = task.offset(); at < end; ) {
          if (tally.ended()) throw new FileCopy.Ended();
          int count = in.read(buffer, 0, (int) Math.min(buffer.length, end - at));
          if (count < 0) throw FileCopy.changing();
          draft.write(buffer, count, at);
          at += count;
          tally.copied(count);
        }
        draft.keep();
      }
      if (!FileCopy.isUnchanged(source, item)) throw FileCopy.changing();
    }
  }

  /** Refuses a task on a server that does not see the same files as the server that walks. */
  static void requireSameFiles(StageWork.Route route, StageNote.Task task) throws IOException {
    if (!task.proof().isEmpty()) {
      requireProof(route.to(), task.proof());
      return;
    }
    StageNote.Part part = task.parts().get(0);
    try (StageDirectory source = route.from().at(part.source())) {
      for (StageNote.File file : part.files()) {
        // A single file may have been deleted meanwhile, which is the same on all servers.
        if (source.look(file.name()) != null) return;
      }
      throw new StageRefused(
          "'%s' is not there, nor what was beside it"
              .formatted(source.pathOf(part.files().get(0).name())));
    }
  }

  private static void requireProof(Side to, String proof) throws IOException {
    int slash = proof.lastIndexOf('/');
    try (StageDirectory target = to.at(slash == 0 ? "/" : proof.substring(0, slash))) {
      if (target.look(proof.substring(slash + 1)) == null) {
        throw new StageRefused("its directory '%s' is another one".formatted(target.path()));
      }
    }
  }
}
