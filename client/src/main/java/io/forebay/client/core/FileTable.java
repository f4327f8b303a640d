// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.ring.Group;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The files that this client has open. Each file is listed once, with any number of handles. */
final class FileTable {
  /**
   * A file with the number of its handles, and of closes that the home has not answered. Only when
   * both are 0 has everything written been published or reported as failed: the file may be opened,
   * written and closed again while the home still answers an earlier close.
   */
  private static final class Entry {
    final FileContent content;

    /** The users that last opened it for reading and for writing, to tell a new home. */
    @Nullable Identity reader;

    @Nullable Identity writer;
    int handles;
    int closing;

    /** The number of the last open that the home has answered, and of the last one released. */
    long openedOp;

    long releasedOp;

    Entry(FileContent content) {
      this.content = content;
    }
  }

  private final Attachment attachment;
  private final Router router;
  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  /**
   * Files to be released, each with its last open. They wait for answers to opens with lower
   * numbers: each of those may turn out to be of the same file.
   */
  private final TreeMap<Long, Release> unreleased = new TreeMap<>();

  private record Release(Identity who, long openedOp) {}

  /**
   * The epoch of the tree's group. The home of a newer epoch may not know which files are open
   * here.
   */
  private long epoch;

  /** The number of pending opens and closes, by the epoch in which each began. */
  private final TreeMap<Long, Integer> underWay = new TreeMap<>();

  /** How many files the home is being told of, and the last epoch in which that failed. */
  private int telling;

  private long untoldEpoch = -1;

  FileTable(Attachment attachment, Router router) {
    this.attachment = attachment;
    this.router = router;
    this.epoch = epochNow();
  }

  private long epochNow() {
    Group group = router.maps().map().group(attachment.session().group());
    return group == null ? 0 : group.epoch();
  }

  /** The home may have started again, and only clients know which files they have open. */
  void mapChanged() {
    long now = epochNow();
    if (now <= epoch || attachment.session().hasEnded()) return;
    epoch = now;
    entries.forEach(
        (number, entry) -> {
          if (entry.handles > 0) openAgain(number);
        });
  }

  /** Whether the home of that epoch has heard of every file that is open. */
  boolean told(long homeEpoch) {
    boolean begunBefore = !underWay.isEmpty() && underWay.firstKey() < homeEpoch;
    return epoch == homeEpoch && telling == 0 && !begunBefore && untoldEpoch != homeEpoch;
  }

  private void began(long asked) {
    underWay.merge(asked, 1, Integer::sum);
  }

  private void ended(long asked) {
    underWay.computeIfPresent(asked, (key, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Opens a file, and makes or truncates it if that is asked for. What was written before into a
   * file that is truncated is published first: a publish that reached the home after the truncation
   * would bring the bytes back.
   */
  CompletableFuture<OpenFile> open(Identity who, Names.Open open) {
    if (!open.truncate() || !attachment.session().hasUnsettledPieces()) return send(who, open);
    return publishBefore(who, open).thenCompose(done -> send(who, open));
  }

  /** Publishes what was written into the file that will be opened, if that can be done. */
  private CompletableFuture<Void> publishBefore(Identity who, Names.Open open) {
    CompletableFuture<Long> number =
        open.path().isEmpty()
            ? CompletableFuture.completedFuture(open.directory())
            : attachment
                .session()
                .ask(who, new Names.Lookup(open.directory(), open.path(), true), Names.NodeIs.class)
                .thenApply(node -> node.attributes().number());
    return number
        .thenCompose(file -> sync(who, file))
        .exceptionallyCompose(
            failure ->
                RequestFailed.from(failure).code() == ErrorCode.UNAVAILABLE
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<OpenFile> send(Identity who, Names.Open open) {
    long asked = epoch;
    began(asked);
    return attachment
        .session()
        .open(who, open)
        .whenComplete((node, failure) -> ended(asked))
        .thenCompose(
            node -> {
              Names.Attributes attributes = node.answer().attributes();
              CompletableFuture<OpenFile> opened = opened(who, open, attributes, node.op());
              // Perhaps it was the home before that answered.
              if (epoch != asked && isOpen(attributes.number())) openAgain(attributes.number());
              return opened;
            })
        .whenComplete((file, failure) -> releaseAnswered());
  }

  private CompletableFuture<OpenFile> opened(
      Identity who, Names.Open open, Names.Attributes attributes, long op) {
    if (attributes.kind() != Names.Kind.FILE) {
      ErrorCode code =
          attributes.kind() == Names.Kind.DIRECTORY ? ErrorCode.IS_A_DIRECTORY : ErrorCode.INVALID;
      return CompletableFuture.failedFuture(
          new RequestFailed(code, "'" + open.path() + "' is no file that can be opened"));
    }
    Entry entry =
        entries.computeIfAbsent(
            attributes.number(), number -> new Entry(new FileContent(attachment.writer(), number)));
    entry.handles++;
    entry.openedOp = Math.max(entry.openedOp, op);
    Release waiting = unreleased.remove(attributes.number());
    if (waiting != null) entry.openedOp = Math.max(entry.openedOp, waiting.openedOp);
    if (open.read()) entry.reader = who;
    if (open.write()) entry.writer = who;
    if (open.truncate()) entry.content.discard();
    return CompletableFuture.completedFuture(
        new OpenFile(attachment, this, entry.content, who, seen(attributes)));
  }

  /**
   * Publishes the writes; the last handle releases the file. The release names the last open that
   * it closes. So an open whose answer has not arrived here still holds the file.
   */
  CompletableFuture<Void> close(FileContent content, Identity who) {
    Entry entry = entries.get(content.number());
    if (entry == null) throw new IllegalStateException("file " + content.number() + " is not open");
    if (--entry.handles > 0) return content.sync(who);
    entry.closing++;
    long asked = epoch;
    began(asked);
    long opensUpTo = Math.min(entry.openedOp, attachment.session().opensAnsweredBelow() - 1);
    return content
        .syncAndRelease(who, opensUpTo)
        .whenComplete(
            (done, failure) -> {
              ended(asked);
              entry.closing--;
              entry.releasedOp = Math.max(entry.releasedOp, opensUpTo);
              if (entry.handles == 0 && entry.closing == 0) forget(entry, who);
            });
  }

  private void forget(Entry entry, Identity who) {
    long number = entry.content.number();
    if (!entries.remove(number, entry)) return;
    entry.content.giveUp();
    if (entry.releasedOp < entry.openedOp) releaseLater(number, who, entry.openedOp);
  }

  private boolean isOpen(long number) {
    Entry entry = entries.get(number);
    return entry != null && entry.handles > 0;
  }

  /** Tells the home again that the file is open: a new home may not know it. */
  private void openAgain(long number) {
    Entry entry = entries.get(number);
    Identity reader = entry == null ? null : entry.reader;
    Identity writer = entry == null ? null : entry.writer;
    boolean both = reader != null && reader.equals(writer);
    if (reader != null) openAgain(number, reader, true, both);
    if (writer != null && !both) openAgain(number, writer, false, true);
    if (reader == null && writer == null) {
      openAgain(number, router.identity(), false, false);
    }
  }

  /**
   * Opens with the rights of the original open. If the file's mode no longer grants them, the file
   * stays open: its owner, and a session that has written, need no other right (P28).
   */
  private void openAgain(long number, Identity who, boolean read, boolean write) {
    Names.Open open = new Names.Open(number, "", read, write, false, false, false, 0);
    long asked = epoch;
    telling++;
    Futures.then(
        attachment.session().open(who, open),
        node -> {
          telling--;
          Entry entry = entries.get(number);
          if (entry == null) releaseLater(number, who, node.op());
          else entry.openedOp = Math.max(entry.openedOp, node.op());
          releaseAnswered();
        },
        failure -> {
          telling--;
          releaseAnswered();
          if ((read || write) && failure.code() == ErrorCode.ACCESS_DENIED) {
            openAgain(number, who, false, false);
            return;
          }
          untoldEpoch = Math.max(untoldEpoch, asked);
          // Then the file is deleted with its name, which is acceptable in most cases.
        });
  }

  private void releaseLater(long number, Identity who, long openedOp) {
    unreleased.merge(number, new Release(who, openedOp), (a, b) -> a.openedOp > b.openedOp ? a : b);
    releaseAnswered();
  }

  /** Releases the closed files of which no open can be unanswered any more. */
  private void releaseAnswered() {
    if (unreleased.isEmpty()) return;
    long answeredBelow = attachment.session().opensAnsweredBelow();
    List<Map.Entry<Long, Release>> due = new ArrayList<>();
    for (Map.Entry<Long, Release> each : unreleased.entrySet()) {
      if (each.getValue().openedOp < answeredBelow) due.add(each);
    }
    for (Map.Entry<Long, Release> each : due) {
      unreleased.remove(each.getKey());
      send(each.getKey(), each.getValue());
    }
  }

  private void send(long number, Release release) {
    Futures.then(
        attachment
            .session()
            .change(
                release.who, new Names.Release(number, true, release.openedOp), Replies.Done.class),
        done -> {},
        failure -> {
          // Then the home takes the file for open until this session ends.
        });
  }

  /** The attributes as this client sees them, including its unpublished writes. */
  Names.Attributes seen(Names.Attributes told) {
    Entry entry = entries.get(told.number());
    if (entry == null) return told;
    return new Names.Attributes(
        told.number(),
        told.kind(),
        told.mode(),
        told.user(),
        told.group(),
        told.links(),
        entry.content.sizeBytes(told.sizeBytes()),
        told.allocatedBytes(),
        told.accessNanos(),
        told.modifyNanos(),
        told.changeNanos(),
        told.version(),
        told.reservedBytes(),
        told.device());
  }

  /** The unpublished writes to a file, if this client has it open. */
  @Nullable FileContent content(long number) {
    Entry entry = entries.get(number);
    return entry == null ? null : entry.content;
  }

  /** Publishes the writes to one file, if there are any. */
  CompletableFuture<Void> sync(Identity who, long number) {
    Entry entry = entries.get(number);
    if (entry == null || entry.content.isPublished()) {
      return CompletableFuture.completedFuture(null);
    }
    return entry.content.sync(who);
  }

  /** Publishes everything written to any file. */
  CompletableFuture<Void> syncAll(Identity who) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Entry entry : entries.values()) all.add(entry.content.sync(who));
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }
}
