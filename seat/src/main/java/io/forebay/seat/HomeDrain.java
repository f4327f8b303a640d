package io.forebay.seat;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.StorePath;
import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.namespace.tree.StoreView;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.Connection;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The drains of all trees of a group, at its home. */
final class HomeDrain {
  /** The longest piece that is read through for a client at a time. */
  private static final int READ_BYTES_MAX = 4 * 1024 * 1024;

  /** Bytes that are being read through; more wait at the client. */
  private static final long READING_BYTES_MAX = 64L * 1024 * 1024;

  private static final long REFRESH_NANOS = 500_000_000L;

  private static final long TELL_NANOS = 2_000_000_000L;

  private record Key(int instance, int tree) {}

  private final Seat seat;
  private final GroupHome home;
  private final Map<Key, TreeDrain> trees = new LinkedHashMap<>();
  private long refreshedNanos;
  private long readingBytes;

  HomeDrain(Seat seat, GroupHome home) {
    this.seat = seat;
    this.home = home;
    this.refreshedNanos = seat.nanos() - REFRESH_NANOS;
  }

  void tick() {
    if (!home.serving()) return;
    if (seat.nanos() - refreshedNanos >= REFRESH_NANOS) refresh();
    for (TreeDrain tree : trees.values()) tree.tick();
  }

  private void refresh() {
    refreshedNanos = seat.nanos();
    trees
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = seat.instance(each.getKey().instance) == null;
              if (gone) each.getValue().abandon();
              return gone;
            });
    for (int number : home.state().instances()) {
      Instance instance = seat.instance(number);
      if (instance == null || instance.drain().isNone()) continue;
      for (int tree : home.state().trees(number)) {
        trees.computeIfAbsent(
            new Key(number, tree), key -> new TreeDrain(seat, home, instance, tree));
      }
    }
    tellEnds();
  }

  /** Of each instance that ends the manager hears when this group has nothing more to drain. */
  private void tellEnds() {
    RingMap map = seat.map();
    if (map == null || !home.leased() || !home.isIdle()) return;
    for (Instance instance : map.instances()) {
      boolean ends = !instance.destroyed() && instance.drain().ending();
      if (!ends || instance.copies() != home.group().id().copies()) continue;
      boolean settled =
          trees.entrySet().stream()
              .filter(each -> each.getKey().instance == instance.id())
              .allMatch(each -> each.getValue().isSettled());
      if (!settled) continue;
      seat.manager()
          .ask(
              new Maps.TreesDrained(instance.id(), home.group().id(), home.group().epoch()),
              TELL_NANOS,
              reply -> {});
    }
  }

  private @Nullable TreeDrain tree(int instance, int tree) {
    TreeDrain known = trees.get(new Key(instance, tree));
    if (known == null) refresh();
    return trees.get(new Key(instance, tree));
  }

  /** Adds to what the journal knows what is going on. */
  Message told(Names.Request request, Names.LedgerIs known) {
    TreeDrain tree = tree(request.instance(), request.tree());
    return tree == null ? known : tree.ledger(known);
  }

  /** Answers when the journal knows what is wanted, so that another home knows it too. */
  void wanted(Names.Request request, Names.Drain wanted, Message known, Consumer<Message> answer) {
    TreeDrain tree = tree(request.instance(), request.tree());
    if (tree == null) {
      answer.accept(
          new Replies.Failed(
              ErrorCode.INVALID,
              "this instance has no backing store; make one with --backing to drain it"));
      return;
    }
    Message node =
        home.state()
            .answer(
                request.instance(),
                request.tree(),
                request.session(),
                request.who(),
                new Names.Lookup(wanted.directory(), wanted.path(), true));
    if (!(node instanceof Names.NodeIs is)) {
      answer.accept(node);
      return;
    }
    tree.request(
        is.attributes().number(),
        journalled -> {
          if (journalled) {
            answer.accept(known);
          } else {
            answer.accept(
                new Replies.Failed(
                    ErrorCode.UNAVAILABLE, home.group().id() + " is getting another home"));
          }
        });
  }

  /**
   * Whether a request needs names that nobody has looked up in the store yet. Then it waits here,
   * and is answered when somebody has.
   */
  boolean needsLook(Connection connection, long request, Names.Request message) {
    long directory =
        home.state().unseen(message.instance(), message.tree(), message.who(), message.what());
    if (directory == 0) return false;
    TreeDrain tree = tree(message.instance(), message.tree());
    if (tree == null || tree.backing() == null) {
      String problem = seat.backings().problem(message.instance());
      refuse(connection, request, ErrorCode.FAILED, "nothing is known of its files: " + problem);
    } else {
      tree.looks().await(directory, new StoreLooks.Waiting(connection, request, message));
    }
    return true;
  }

  /** The epoch is over: whoever waits asks the next home. */
  void stop() {
    for (TreeDrain tree : trees.values()) tree.looks().stop();
  }

  /** Some seat is full: trees that are drained may have something to give up. */
  void wantRoom(long bytes) {
    for (TreeDrain tree : trees.values()) tree.wantRoom(bytes);
  }

  /** Reads for a client what only the backing store has. */
  void getBacked(Connection connection, long request, Data.GetBacked message) {
    StoreView view = home.leased() ? home.state().store(message.instance(), message.tree()) : null;
    StoreView.Stored stored = view == null ? null : view.stored(message.file());
    Backing backing = seat.backings().of(message.instance());
    if (view == null) {
      refuse(connection, request, ErrorCode.UNAVAILABLE, home.group().id() + " has no leases");
    } else if (view.isLost(message.file())) {
      String path = view.entry(message.file()).path();
      refuse(connection, request, ErrorCode.FAILED, Underneath.lost(path).sentence());
    } else if (stored == null || backing == null) {
      refuse(connection, request, ErrorCode.GONE, "the backing store does not have it");
    } else if (message.offset() < 0
        || message.lengthBytes() < 1
        || message.lengthBytes() > READ_BYTES_MAX) {
      refuse(connection, request, ErrorCode.INVALID, "a piece of " + message.lengthBytes());
    } else if (backing.room() == 0 || readingBytes > READING_BYTES_MAX) {
      refuse(connection, request, ErrorCode.BUSY, "too much is being read through");
    } else {
      read(connection, request, message, stored, backing, view.renamedTo(message.file()));
    }
  }

  private void read(
      Connection connection,
      long request,
      Data.GetBacked message,
      StoreView.Stored stored,
      Backing backing,
      @Nullable String otherName) {
    // The store's bytes are in no log, and must be somewhere on their way to the socket.
    ByteBuffer bytes = ByteBuffer.allocateDirect(message.lengthBytes());
    readingBytes += message.lengthBytes();
    backing.read(
        StorePath.of(stored.name()),
        stored.contentTag(),
        message.offset(),
        bytes,
        answer -> {
          readingBytes -= message.lengthBytes();
          TreeDrain tree = trees.get(new Key(message.instance(), message.tree()));
          switch (answer) {
            case Backing.Answer.Done<Integer> done -> {
              if (tree != null) tree.sound(message.file());
              ByteBuffer read = bytes.flip();
              connection.send(
                  request, new Data.Got(Checksums.of(BlockChecksums.of(read))), Payload.of(read));
            }
            case Backing.Answer.Failed<Integer> failed -> {
              if (otherName != null && backing.room() > 0) {
                // It may have been renamed, though the journal does not say so yet.
                StoreView.Stored renamed =
                    new StoreView.Stored(otherName, stored.contentTag(), stored.backedBytes());
                read(connection, request, message, renamed, backing, null);
              } else {
                notRead(connection, request, message, stored, failed.failure());
              }
            }
          }
        });
  }

  private void notRead(
      Connection connection,
      long request,
      Data.GetBacked message,
      StoreView.Stored stored,
      BackingFailure failure) {
    ErrorCode code = code(message, stored, failure);
    String changed = code == ErrorCode.FAILED ? Underneath.sentence(failure, stored.name()) : null;
    TreeDrain tree = trees.get(new Key(message.instance(), message.tree()));
    if (changed != null && tree != null) tree.changedUnderneath(message.file(), changed);
    refuse(connection, request, code, changed == null ? failure.sentence() : changed);
  }

  /** What is read while the store gives files other names is asked for again. */
  private ErrorCode code(Data.GetBacked message, StoreView.Stored asked, BackingFailure failure) {
    if (home.stopped()) return ErrorCode.UNAVAILABLE;
    StoreView view = home.state().store(message.instance(), message.tree());
    boolean changes =
        view != null
            && (view.isChanging(message.file()) || !asked.equals(view.stored(message.file())));
    boolean passes = failure.advice() == BackingFailure.Advice.TRY_AGAIN;
    return changes || passes ? ErrorCode.UNAVAILABLE : ErrorCode.FAILED;
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
