// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.Bytes;
import io.forebay.client.core.ClientCore;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.NodePage;
import io.forebay.client.file.NodePath;
import io.forebay.client.file.RingRoom;
import io.forebay.client.file.Usage;
import io.forebay.client.loop.ClientLoop;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Requests about nodes with one identity. {@link Forebay} names nodes by paths, {@link Nodes} by
 * numbers. Any thread; each call waits for its answer.
 */
final class NameCalls {
  private final ClientLoop loop;
  private final ClientCore core;
  private final OpenHandles open;
  private final Identity who;

  NameCalls(ClientLoop loop, ClientCore core, OpenHandles open, Identity who) {
    this.loop = loop;
    this.core = core;
    this.open = open;
    this.who = who;
  }

  long root() throws IOException {
    return loop.call(null, core::root);
  }

  FileStat stat(NodePath at, boolean follow) throws IOException {
    open.flushAll();
    return FileStat.of(
        loop.call(
            at.shown(),
            () -> core.lookUp(who, root -> new Names.Lookup(at.from(root), at.path(), follow))));
  }

  FileStat stat(long node) throws IOException {
    open.flush(node);
    return FileStat.of(loop.call(NodePath.of(node).shown(), () -> core.stat(who, node)));
  }

  boolean isWritten(long node) throws IOException {
    Names.StandingsAre told =
        loop.call(
            NodePath.of(node).shown(),
            () ->
                core.ask(
                    who, root -> new Names.GetStandings(List.of(node)), Names.StandingsAre.class));
    return told.files().stream().anyMatch(Names.Standing::written);
  }

  void checkAccess(NodePath at, int mask) throws IOException {
    ask(
        at,
        root -> new Names.CheckAccess(at.from(root), at.path(), false, mask),
        Replies.Done.class);
  }

  NodePage list(NodePath at, String after, int max) throws IOException {
    open.flushAll();
    Names.Listing listing =
        loop.call(
            at.shown(),
            () ->
                core.list(
                    who, root -> new Names.ListDirectory(at.from(root), at.path(), after, max)));
    List<DirectoryEntry> entries = new ArrayList<>(listing.entries().size());
    for (Names.NamedNode node : listing.entries()) {
      entries.add(new DirectoryEntry(node.name(), FileStat.of(node.attributes())));
    }
    return new NodePage(entries, listing.more());
  }

  FileStat mkdir(NodePath at, int mode) throws IOException {
    return changed(at, root -> new Names.MakeDirectory(at.from(root), at.path(), mode));
  }

  FileStat symlink(String target, NodePath at) throws IOException {
    return changed(at, root -> new Names.MakeSymlink(at.from(root), at.path(), target));
  }

  FileStat mknod(NodePath at, FileStat.Kind kind, int mode, long device) throws IOException {
    Names.Kind wanted =
        switch (kind) {
          case FIFO -> Names.Kind.FIFO;
          case SOCKET -> Names.Kind.SOCKET;
          case CHARACTER_DEVICE -> Names.Kind.CHARACTER_DEVICE;
          case BLOCK_DEVICE -> Names.Kind.BLOCK_DEVICE;
          case FILE, DIRECTORY, SYMLINK ->
              throw new IllegalArgumentException(kind + " is no special file");
        };
    return changed(at, root -> new Names.MakeNode(at.from(root), at.path(), wanted, mode, device));
  }

  String readlink(NodePath at) throws IOException {
    return ask(at, root -> new Names.ReadLink(at.from(root), at.path()), Names.LinkIs.class)
        .target();
  }

  FileStat link(NodePath existing, NodePath to) throws IOException {
    if (existing.isNumber()) open.flush(existing.directory());
    else open.flushAll();
    return changed(
        to,
        root -> new Names.MakeLink(existing.from(root), existing.path(), to.from(root), to.path()));
  }

  void unlink(NodePath at) throws IOException {
    loop.await(unlinkAsync(at), at.shown());
  }

  CompletableFuture<Replies.Done> unlinkAsync(NodePath at) {
    return loop.submit(
        () ->
            core.change(
                who, root -> new Names.Unlink(at.from(root), at.path()), Replies.Done.class));
  }

  void rmdir(NodePath at) throws IOException {
    change(at, root -> new Names.RemoveDirectory(at.from(root), at.path()), Replies.Done.class);
  }

  void rename(NodePath from, NodePath to, boolean noReplace, boolean exchange) throws IOException {
    try {
      change(
          from,
          root ->
              new Names.Rename(
                  from.from(root), from.path(), to.from(root), to.path(), noReplace, exchange),
          Replies.Done.class);
    } catch (FileAlreadyExistsException e) {
      throw new FileAlreadyExistsException(to.shown(), null, e.getReason());
    } catch (DirectoryNotEmptyException e) {
      throw new DirectoryNotEmptyException(to.shown());
    }
  }

  /**
   * Changes attributes. What this client has written and not published comes first where it would
   * undo the change later: publishing sets the time of modification and drops setuid bits.
   */
  FileStat set(NodePath at, AttributeChange what) throws IOException {
    if (!at.isNumber()) {
      if (what.needsContent()) syncAll();
      return changed(at, root -> what.request(at.from(root), at.path()));
    }
    open.flush(at.directory());
    Names.SetAttributes change = what.request(at.directory(), "");
    return FileStat.of(
        loop.call(
            at.shown(),
            () ->
                core.sync(who, at.directory())
                    .thenCompose(done -> core.changeNode(who, root -> change))));
  }

  void syncAll() throws IOException {
    open.flushAll();
    loop.call(null, () -> core.syncAll(who));
  }

  byte[] getExtra(NodePath at, String name) throws IOException {
    return ask(
            at,
            root -> new Names.GetExtra(at.from(root), at.path(), true, name),
            Names.ExtraIs.class)
        .value()
        .toArray();
  }

  /** Sets an extra attribute, which must not be there, must be, or may be. */
  void setExtra(NodePath at, String name, byte[] value, boolean create, boolean replace)
      throws IOException {
    Bytes copy = Bytes.copyOf(value);
    change(
        at,
        root -> new Names.SetExtra(at.from(root), at.path(), true, name, copy, create, replace),
        Replies.Done.class);
  }

  void removeExtra(NodePath at, String name) throws IOException {
    change(
        at,
        root -> new Names.RemoveExtra(at.from(root), at.path(), true, name),
        Replies.Done.class);
  }

  List<String> listExtras(NodePath at) throws IOException {
    return ask(
            at, root -> new Names.ListExtras(at.from(root), at.path(), true), Names.ExtrasAre.class)
        .names();
  }

  void refresh(NodePath at) throws IOException {
    change(at, root -> new Names.Refresh(at.from(root), at.path()), Replies.Done.class);
  }

  Usage usage() throws IOException {
    NodePath top = NodePath.of("/");
    Names.UsageIs usage = ask(top, root -> new Names.GetUsage(), Names.UsageIs.class);
    // A private tree has got a part of the instance's capacity so far, and gets more on demand.
    boolean part = usage.capacityBytes() > 0 && Names.treeOf(loop.call(null, core::root)) != 0;
    long capacityBytes =
        part ? loop.call(null, core::instance).capacityBytes() : usage.capacityBytes();
    return new Usage(capacityBytes, usage.usedBytes(), usage.promisedBytes(), usage.nodes());
  }

  RingRoom ringRoom() throws IOException {
    int copies = loop.call(null, core::instance).copies();
    long totalBytes = 0;
    long liveBytes = 0;
    for (Statuses.SeatStatus seat : loop.call(null, core::seatStatuses)) {
      totalBytes += seat.memory().totalBytes() + seat.ssd().totalBytes();
      liveBytes += seat.liveBytes();
    }
    return new RingRoom(totalBytes / copies, Math.max(0, totalBytes - liveBytes) / copies);
  }

  private FileStat changed(NodePath at, LongFunction<Names.Change> change) throws IOException {
    return FileStat.of(loop.call(at.shown(), () -> core.changeNode(who, change)));
  }

  private <M extends Message> M ask(
      NodePath at, LongFunction<Names.Question> question, Class<M> expected) throws IOException {
    return loop.call(at.shown(), () -> core.ask(who, question, expected));
  }

  private <M extends Message> M change(
      NodePath at, LongFunction<Names.Change> change, Class<M> expected) throws IOException {
    return loop.call(at.shown(), () -> core.change(who, change, expected));
  }
}
