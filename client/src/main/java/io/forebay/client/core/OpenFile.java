// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.content.HolePunch;
import io.forebay.client.core.content.read.HoleSearch;
import io.forebay.client.core.content.read.RangeRead;
import io.forebay.client.core.content.read.ReadAhead;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One handle of a file. Writes and reads at any offset, in any number at once. */
public final class OpenFile {
  private final Attachment attachment;
  private final FileTable table;
  private final FileContent content;
  private final Identity who;
  private final Names.Attributes opened;
  private final ReadAhead ahead;
  private boolean closed;

  OpenFile(
      Attachment attachment,
      FileTable table,
      FileContent content,
      Identity who,
      Names.Attributes opened) {
    this.attachment = attachment;
    this.table = table;
    this.content = content;
    this.who = who;
    this.opened = opened;
    this.ahead = new ReadAhead(attachment.reading(), content);
  }

  /** The file's number. */
  public long number() {
    return content.number();
  }

  /** The attributes of the file when it was opened; any thread. */
  public Names.Attributes openedAttributes() {
    return opened;
  }

  /** How writes must be cut; any thread may cut. */
  public PieceLayout layout() {
    return attachment.layout();
  }

  /** The session that it belongs to. The handle is useless after its end. */
  public long session() {
    return attachment.session().id();
  }

  /**
   * Whether the session of the handle has ended, so that nothing can be written through it; any
   * thread. If no write was lost, the file can be opened again by its number.
   */
  public boolean isStranded() {
    return attachment.isOver();
  }

  /** Whether nothing that was written is unpublished or lost. */
  public boolean isClean() {
    return content.isClean();
  }

  /** Whether writes must reserve room. */
  public boolean isRoomBounded() {
    return attachment.session().instance().capacityBytes() > 0;
  }

  /**
   * Why write protection would refuse bytes that end at that offset, or null; any thread.
   *
   * @param appended whether they go to the end of the file
   */
  public @Nullable RequestFailed objection(long endOffset, boolean appended) {
    return attachment.writer().protection().objection(endOffset, appended);
  }

  /** The preferred amount of room to reserve at a time. */
  public long roomAheadBytes() {
    return attachment.writer().roomAheadBytes();
  }

  /**
   * Reserves room for later writes; grants fewer bytes than requested if there is less room.
   *
   * @param endOffset where in the file they end, for the message if there is no room
   */
  public CompletableFuture<Long> takeRoom(long bytes, long endOffset) {
    CompletableFuture<Long> taken = new CompletableFuture<>();
    Futures.then(
        attachment.session().change(who, new Names.TakeRoom(bytes), Names.RoomIs.class),
        room -> taken.complete(room.bytes()),
        failure -> taken.completeExceptionally(attachment.writer().noRoom(failure, endOffset)));
    return taken;
  }

  /**
   * Writes pieces at an offset; their bytes must not change until they are acknowledged.
   *
   * @param roomTaken whether room was taken for them with {@link #takeRoom}
   */
  public WriteCall write(List<Piece> pieces, long offset, boolean roomTaken) {
    requireOpen();
    return content.write(pieces, offset, roomTaken);
  }

  /** Writes pieces to where the file ends when they are published. */
  public WriteCall append(List<Piece> pieces, boolean roomTaken) {
    requireOpen();
    return content.append(pieces, roomTaken);
  }

  /**
   * Fills the remaining target up to the end of the file; its position stays. The target is in use
   * until the future is complete, which has the number of bytes, or -1 behind the end.
   */
  public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
    requireOpen();
    RangeRead.Range range = new RangeRead.Range(who, content.number(), offset, target);
    return new RangeRead(attachment.reading(), range, content).with(ahead).start();
  }

  /** Publishes everything written to the file by this client, once it is acknowledged. */
  public CompletableFuture<Void> sync() {
    requireOpen();
    return content.sync(who);
  }

  /** The file's attributes as this client sees them. */
  public CompletableFuture<Names.Attributes> attributes() {
    requireOpen();
    return attachment
        .session()
        .ask(who, new Names.Lookup(content.number(), "", false), Names.NodeIs.class)
        .thenApply(node -> table.seen(node.attributes()));
  }

  /** Sets the file's size; publishes earlier writes first. */
  public CompletableFuture<Void> truncate(long sizeBytes) {
    requireOpen();
    return set(new Names.SetAttributes(
            content.number(),
            "",
            false,
            (int) Names.UNCHANGED,
            (int) Names.UNCHANGED,
            (int) Names.UNCHANGED,
            sizeBytes,
            Names.UNCHANGED,
            Names.UNCHANGED))
        .thenApply(node -> null);
  }

  /** Changes attributes of this file; publishes earlier writes first. */
  public CompletableFuture<Names.Attributes> set(Names.SetAttributes change) {
    requireOpen();
    return content
        .sync(who)
        .thenCompose(done -> attachment.session().change(who, change, Names.NodeIs.class))
        .thenApply(node -> table.seen(node.attributes()));
  }

  /** Punches a hole; publishes earlier writes. */
  public CompletableFuture<Void> punch(long offset, long lengthBytes) {
    requireOpen();
    return new HolePunch(content, attachment.layout(), who).punch(offset, lengthBytes);
  }

  /**
   * Records that room was reserved for a range, and extends the file to its end unless the size is
   * to stay; publishes earlier writes.
   */
  public CompletableFuture<Void> allocate(long offset, long lengthBytes, boolean keepSize) {
    Names.Allocate change = new Names.Allocate(content.number(), offset, lengthBytes, keepSize);
    requireOpen();
    return content
        .sync(who)
        .thenCompose(done -> attachment.session().change(who, change, Names.NodeIs.class))
        .thenApply(node -> null);
  }

  /** Searches for holes, in published and unpublished bytes. */
  public HoleSearch holes() {
    requireOpen();
    return new HoleSearch(attachment.session(), who, content);
  }

  /** The free room of the instance, for all clients. */
  public CompletableFuture<Long> freeBytes() {
    return attachment
        .session()
        .ask(who, new Names.GetUsage(), Names.UsageIs.class)
        .thenApply(use -> use.capacityBytes() - use.usedBytes() - use.promisedBytes());
  }

  /** Publishes and closes the file. A second close has no effect. */
  public CompletableFuture<Void> close() {
    if (closed) return CompletableFuture.completedFuture(null);
    closed = true;
    ahead.close();
    return table.close(content, who);
  }

  private void requireOpen() {
    if (closed) throw new IllegalStateException("file " + content.number() + " is closed");
  }
}
