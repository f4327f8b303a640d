// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageList;
import io.forebay.client.stage.StageNote;
import io.forebay.client.stage.StageRequest;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.Side;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRefused;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stage on the server that walks through its source: a thread makes directories and links, and
 * cuts the files into {@link Work}, which threads here and other servers do. Each start goes
 * through everything; files that are already there are not copied again. Memory does not grow with
 * the number of files.
 */
final class StageWork implements LargeFile.Ground {
  /** Each level holds a descriptor and a listing. */
  private static final int DEPTH_MAX = 256;

  static final String DRAFT_PREFIX = ".forebay-stage-";

  /** The most files that one thread copies one after the other, before it asks for more. */
  private static final int FILES_MAX = 256;

  /** With few files each is work of its own, so that all threads have something to do. */
  private static final int FILES_PER_WORK = 64;

  /**
   * What to do.
   *
   * @param attempt the number of this start, on any server, from 1
   * @param rangeBytes files of more than two ranges are copied in ranges
   */
  record Order(String id, int attempt, StageRequest request, long rangeBytes) {
    /** Long enough that a range takes longer than handing it to another server. */
    static final long RANGE_BYTES = 8L << 20;

    Order(String id, int attempt, StageRequest request) {
      this(id, attempt, request, RANGE_BYTES);
    }
  }

  /** Where files are copied from, and where to. */
  record Route(Side from, Side to) {}

  /** An entry of a directory. */
  record Place(StageDirectory directory, Item item) {}

  /** The other servers, which take work as well. */
  interface Others {
    /** There are none. */
    Others NONE = (queue, tally) -> {};

    /** Gives them work until the queue is over. A thread of its own. */
    void work(WorkQueue queue, StageTally tally);
  }

  private final Order order;
  private final Side from;
  private final Side to;
  private final Reasons reasons;
  private final StageTally tally;
  private final boolean clears;
  private final FileCopy copy;
  private final TaskCopy taskCopy;
  private final WorkQueue queue;
  private final Proofs proofs;
  private final Set<LargeFile> largeFiles = ConcurrentHashMap.newKeySet();
  private final AtomicInteger drafts = new AtomicInteger();

  /** The files that are found and not queued, by directory. Only the walk. */
  private List<StageNote.Part> parts = new ArrayList<>();

  private List<StageNote.File> partFiles = new ArrayList<>();
  private StageNote.@Nullable Part part;
  private int batchFiles;
  private long batchBytes;
  private long filesFound;

  /** The directory at the destination that everything found now is below of. Only the walk. */
  private @Nullable String top;

  /**
   * Nothing has begun.
   *
   * @param onlyClears whether nothing is to be copied, and only what an earlier server left behind
   *     removed
   */
  StageWork(Order order, Route route, Reasons reasons, StageTally tally, boolean onlyClears) {
    this.order = order;
    this.from = route.from;
    this.to = route.to;
    this.reasons = reasons;
    this.tally = tally;
    this.clears = onlyClears;
    this.copy = new FileCopy(order.request.replace(), tally, this::draftName);
    this.taskCopy = new TaskCopy(route, copy, tally);
    this.queue = new WorkQueue(order.request.concurrency(), tally::ended);
    this.proofs = new Proofs(this::draftName);
  }

  /**
   * Stages everything; returns when all is done, or after a request to stop.
   *
   * @param list the lines of a list, or null if it is none
   */
  void run(@Nullable BufferedReader list, Others others) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= order.request.concurrency(); i++) {
      threads.add(start("copy-" + i, this::copyAll));
    }
    threads.add(start("others", () -> others.work(queue, tally)));
    try {
      if (list == null) {
        one(order.request.source(), order.request.destination());
      } else {
        StageList entries = new StageList(list);
        for (StageList.Entry next = entries.next(); next != null; next = entries.next()) {
          if (tally.ended()) break;
          one(next.source(), next.destination());
        }
      }
      if (!tally.ended()) tally.counted();
    } catch (IOException e) {
      tally.fail(reasons.sentence(e, order.request.source()));
    } catch (RuntimeException e) {
      tally.fail(reasons.sentence(Reasons.cause(e), order.request.source()));
    } finally {
      finish(threads);
    }
  }

  private Thread start(String what, Runnable action) {
    return Thread.ofPlatform().daemon().name("stage-" + order.id + "-" + what).start(action);
  }

  private void copyAll() {
    try {
      for (Work next = queue.take(); next != null; next = queue.take()) {
        next.run();
        queue.over();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(List<Thread> threads) {
    queue.complete();
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          // Copies see it at their next bytes, and release their files.
          tally.end();
          interrupted = true;
        }
      }
    }
    for (LargeFile file : largeFiles) file.release();
    proofs.close();
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** A source that cannot be staged at all ends a stage of one, and is one failure of a list. */
  private void one(String source, String destination) throws IOException {
    try (Side.Found found = from.find(source)) {
      if (order.request.onlyLooks()) {
        found.requireReadable();
        tally.found(0);
        tally.done(0, false);
      } else {
        stage(found, source, destination);
      }
    } catch (IOException e) {
      if (!order.request.isList() || Reasons.endsAll(e)) throw e;
      tally.found(0);
      tally.failed(source, reasons.sentence(e, source));
    }
  }

  private void stage(Side.Found found, String source, String destination) throws IOException {
    String target = destination.endsWith("/") ? destination + lastName(source) : destination;
    switch (found) {
      case Side.Found.Directory directory -> {
        try (StageDirectory place = to.directory(target, directory.mode())) {
          begin(place);
          walk(directory.place(), place, 0);
          queueFiles();
        }
      }
      case Side.Found.Other other -> {
        String name = lastName(target);
        if (name.isEmpty()) {
          throw new StageRefused("'%s' is a directory; name the file in it".formatted(target));
        }
        try (StageDirectory place =
            to.directory(target.substring(0, target.lastIndexOf(name)), 0755)) {
          begin(place);
          clear(place);
          if (!clears) item(other.parent(), other.item(), place, name, 0);
          queueFiles();
        }
      }
    }
  }

  private void begin(StageDirectory place) {
    boolean out = order.request.direction() == StageRequest.Direction.OUT;
    top = out ? proofs.below(place) : null;
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
    tally.done(0, present);
  }

  private void file(
      StageDirectory source, Item item, StageDirectory target, String name, String path)
      throws IOException {
    tally.found(item.sizeBytes());
    if (item.links() > 1) {
      tally.note(
          path, "it has %d names; each is staged as a file of its own".formatted(item.links()));
    }
    if (item.sizeBytes() > 2 * order.rangeBytes) {
      LargeFile large =
          new LargeFile(
              this,
              copy,
              new Place(source.hold(), item),
              new Place(target.hold(), item.withName(name)),
              order.rangeBytes);
      largeFiles.add(large);
      queue(large.start());
      return;
    }
    if (part == null
        || !part.source().equals(source.path())
        || !part.target().equals(target.path())) {
      closePart();
      part = new StageNote.Part(source.path(), target.path(), target.isNew(), List.of());
    }
    partFiles.add(TaskCopy.file(item, name));
    batchFiles++;
    filesFound++;
    batchBytes += item.sizeBytes();
    long enough = Math.clamp(filesFound / FILES_PER_WORK, 1, FILES_MAX);
    if (batchFiles >= enough || batchBytes >= order.rangeBytes) queueFiles();
  }

  private void closePart() {
    if (part != null && !partFiles.isEmpty()) {
      parts.add(new StageNote.Part(part.source(), part.target(), part.isNew(), partFiles));
    }
    part = null;
    partFiles = new ArrayList<>();
  }

  /** Queues the files that were found since the last time. */
  private void queueFiles() {
    closePart();
    if (!parts.isEmpty()) queue(new FilesWork(parts, top, false));
    parts = new ArrayList<>();
    batchFiles = 0;
    batchBytes = 0;
  }

  private void queue(Work work) {
    try {
      queue.add(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tally.end();
    }
  }

  /** Some files that one thread copies. */
  private final class FilesWork implements Work {
    private final List<StageNote.Part> files;
    private final @Nullable String below;
    private final boolean onlyHere;

    FilesWork(List<StageNote.Part> files, @Nullable String below, boolean onlyHere) {
      this.files = files;
      this.below = below;
      this.onlyHere = onlyHere;
    }

    @Override
    public StageNote.@Nullable Task task() {
      return onlyHere ? null : taskOf(files, below, "", 0, 0);
    }

    @Override
    public void run() {
      for (StageNote.Part each : files) {
        taskCopy.files(each, (of, index, e) -> failed(pathOf(of, index), e));
      }
    }

    @Override
    public void done(StageNote.Result result) {
      tally.doneElsewhere(result);
      // Here it is seen why they failed, and counted.
      List<StageNote.Part> undone = undone(result);
      if (!undone.isEmpty()) queue.addNext(new FilesWork(undone, below, true));
    }

    private List<StageNote.Part> undone(StageNote.Result result) {
      List<StageNote.Part> undone = new ArrayList<>();
      int first = 0;
      for (StageNote.Part each : files) {
        List<StageNote.File> left = new ArrayList<>();
        for (int i = 0; i < each.files().size(); i++) {
          if (result.undone().contains(first + i)) left.add(each.files().get(i));
        }
        first += each.files().size();
        if (!left.isEmpty()) {
          undone.add(new StageNote.Part(each.source(), each.target(), false, left));
        }
      }
      return undone;
    }

    @Override
    public void lost() {
      List<StageNote.Part> again =
          files.stream()
              .map(each -> new StageNote.Part(each.source(), each.target(), false, each.files()))
              .toList();
      queue.addNext(new FilesWork(again, below, false));
    }
  }

  private static String pathOf(StageNote.Part part, int index) {
    String name = part.files().get(index).name();
    return part.source().endsWith("/") ? part.source() + name : part.source() + "/" + name;
  }

  /** A task for other servers; null if they could not prove that they see the destination. */
  private StageNote.@Nullable Task taskOf(
      List<StageNote.Part> files, @Nullable String below, String draft, long offset, long bytes) {
    String proof = "";
    if (order.request.direction() == StageRequest.Direction.OUT) {
      proof = below == null ? null : proofs.of(below);
      if (proof == null) return null;
    }
    return new StageNote.Task(StageNote.VERSION, proof, files, draft, offset, bytes);
  }

  @Override
  public StageNote.@Nullable Task task(
      StageNote.Part file, String draft, long offset, long lengthBytes) {
    String below = proofs.above(file.target());
    return taskOf(List.of(file), below, draft, offset, lengthBytes);
  }

  @Override
  public void add(Work work) {
    queue.addNext(work);
  }

  @Override
  public void copyRange(StageNote.Task range) throws IOException {
    taskCopy.range(range);
  }

  @Override
  public void copied(StageNote.Result result) {
    tally.doneElsewhere(result);
  }

  @Override
  public void done(LargeFile file, long sizeBytes, boolean present) {
    tally.done(sizeBytes, present);
    if (largeFiles.remove(file)) file.release();
  }

  @Override
  public void failed(LargeFile file, String path, IOException reason) {
    failed(path, reason);
    if (largeFiles.remove(file)) file.release();
  }

  @Override
  public String draftName() {
    return DRAFT_PREFIX + order.id + "-" + order.attempt + "-" + drafts.incrementAndGet();
  }

  /** Removes leftovers of a server that worked on this stage before. */
  private void clear(StageDirectory target) throws IOException {
    if (order.attempt == 1) return;
    String ofStage = DRAFT_PREFIX + order.id + "-";
    String own = ofStage + order.attempt + "-";
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
