// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.ContentKey;
import java.util.List;

/**
 * Requests of clients to the home of a tree, and its answers. A node is named by a directory's
 * number and a path from there; an empty path is the directory, or any node, itself. Times are
 * nanoseconds since 1970. Changes are answered with Done unless stated otherwise.
 */
public interface Names {
  /** The root directory of every tree, without the tree's own high bits. */
  long ROOT = 1;

  /** The directory of key-value pairs, which no path leads to. */
  long PAIRS = 2;

  int NAME_BYTES_MAX = 255;
  int PATH_BYTES_MAX = 4096;
  int KEY_BYTES_MAX = 1024;

  /** Numbers of a tree's nodes have the tree's number above these bits. */
  int TREE_SHIFT = 40;

  /** The tree a node's number belongs to. */
  static int treeOf(long number) {
    return (int) (number >>> TREE_SHIFT);
  }

  /** A number in a tree. */
  static long inTree(int tree, long number) {
    return ((long) tree << TREE_SHIFT) | number;
  }

  /**
   * One question or change.
   *
   * @param tree the tree of the instance; 0 with shared access
   * @param op the number of a change within its session: a repeated change gets the same answer and
   *     is not applied again; 0 for questions
   * @param doneBelow the client has the answers to all lower ops, so the home may drop them
   * @param settledBelow all pieces of the session with lower numbers are published or abandoned: a
   *     piece that is in no file never will be
   * @param openTold the home of this epoch knows every file that the client has open
   */
  record Request(
      GroupId group,
      long epoch,
      int instance,
      int tree,
      long session,
      long op,
      long doneBelow,
      long settledBelow,
      boolean openTold,
      Identity who,
      Op what)
      implements GroupMessage, ClaimsUser {}

  /** All requests. */
  sealed interface Op extends Message permits Question, Change {}

  /** Answered from committed state, under leases. */
  sealed interface Question extends Op {}

  /** Goes through the journal. */
  sealed interface Change extends Op {}

  // Sessions.

  /**
   * Begins a session, or finds the tree of a node: in an instance of private access, tree 0 is
   * asked and names the node's own tree and group, where the session is then begun. Answered with
   * {@link SessionIs}.
   */
  record BeginSession(String node, long expiryNanos) implements Change {}

  /**
   * The tree and group of the session.
   *
   * @param number the client's number in the order of arrival, to spread clients evenly; it has no
   *     other use
   */
  record SessionIs(int tree, GroupId group, long number) implements Message {}

  /** The client lives. Answered with Done, or Failed with SESSION_ENDED. */
  record KeepAlive() implements Question {}

  record EndSession() implements Change {}

  // Names.

  /** The kind of a node. All after {@link #SYMLINK} are special files: kernels handle them. */
  enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    FIFO,
    SOCKET,
    CHARACTER_DEVICE,
    BLOCK_DEVICE;

    public boolean isSpecial() {
      return compareTo(SYMLINK) > 0;
    }

    public boolean isDevice() {
      return this == CHARACTER_DEVICE || this == BLOCK_DEVICE;
    }
  }

  /**
   * The attributes of a node.
   *
   * @param allocatedBytes what its extents hold
   * @param version grows with every publish and truncation
   * @param reservedBytes what was allocated by {@link Allocate} and has not been written yet
   * @param device the device number, as in Linux; 0 for all but devices
   */
  record Attributes(
      long number,
      Kind kind,
      int mode,
      int user,
      int group,
      int links,
      long sizeBytes,
      long allocatedBytes,
      long accessNanos,
      long modifyNanos,
      long changeNanos,
      long version,
      long reservedBytes,
      long device) {}

  record NodeIs(Attributes attributes) implements Message {}

  record Lookup(long directory, String path, boolean follow) implements Question {}

  /** The bits of {@link CheckAccess}, as access(2) has them. */
  int MAY_READ = 4;

  int MAY_WRITE = 2;
  int MAY_EXECUTE = 1;

  /** Checks access to a node; without bits, whether it exists. Answered with Done. */
  record CheckAccess(long directory, String path, boolean follow, int mask) implements Question {}

  /** Answered with {@link Listing}: names in the order of String, behind the given one. */
  record ListDirectory(long directory, String path, String after, int max) implements Question {}

  record NamedNode(String name, Attributes attributes) {}

  record Listing(List<NamedNode> entries, boolean more) implements Message {}

  record ReadLink(long directory, String path) implements Question {}

  record LinkIs(String target) implements Message {}

  /**
   * Opens a file: the home remembers that the session has it open, so that it outlives its name.
   * Needs the journal only if it makes or truncates the file. Answered with {@link NodeIs}.
   */
  record Open(
      long directory,
      String path,
      boolean read,
      boolean write,
      boolean create,
      boolean exclusive,
      boolean truncate,
      int mode)
      implements Change {}

  /**
   * The session has the file open no longer. Answered with Done. Needs the journal only if the
   * session made the file, or has published into it.
   *
   * @param whole whether everything is published that was written
   * @param opensUpTo the number of the last open that this closes: an open with a higher one holds
   *     the file, also if the home sees it before this request
   */
  record Release(long file, boolean whole, long opensUpTo) implements Change {
    public Release(long file) {
      this(file, true, ALL_OPENS);
    }
  }

  /** Closes every open with a lower number than the request that says so. */
  long ALL_OPENS = Long.MAX_VALUE;

  /** Answered with {@link NodeIs}. */
  record MakeDirectory(long directory, String path, int mode) implements Change {}

  /** Answered with {@link NodeIs}. */
  record MakeSymlink(long directory, String path, String target) implements Change {}

  /** The highest number of a device: 12 bits for the driver and 20 for which one of its devices. */
  long DEVICE_MAX = 0xffff_ffffL;

  /** Makes a special file; devices are root's to make. Answered with {@link NodeIs}. */
  record MakeNode(long directory, String path, Kind kind, int mode, long device)
      implements Change {}

  /** A symlink is not followed. Answered with {@link NodeIs}. */
  record MakeLink(long directory, String path, long newDirectory, String newPath)
      implements Change {}

  record Unlink(long directory, String path) implements Change {}

  record RemoveDirectory(long directory, String path) implements Change {}

  record Rename(
      long directory,
      String path,
      long newDirectory,
      String newPath,
      boolean noReplace,
      boolean exchange)
      implements Change {}

  /** The value of attributes that {@link SetAttributes} does not change. */
  long UNCHANGED = -1;

  /** The home's own time, in place of a given one. */
  long NOW = -2;

  /** Each value may be {@link #UNCHANGED}; times may be {@link #NOW}. Answered with NodeIs. */
  record SetAttributes(
      long directory,
      String path,
      boolean follow,
      int mode,
      int user,
      int group,
      long sizeBytes,
      long accessNanos,
      long modifyNanos)
      implements Change {}

  record SetExtra(
      long directory,
      String path,
      boolean follow,
      String name,
      Bytes value,
      boolean create,
      boolean replace)
      implements Change {}

  record RemoveExtra(long directory, String path, boolean follow, String name) implements Change {}

  record GetExtra(long directory, String path, boolean follow, String name) implements Question {}

  record ExtraIs(Bytes value) implements Message {}

  record ListExtras(long directory, String path, boolean follow) implements Question {}

  record ExtrasAre(List<String> names) implements Message {}

  // Content.

  /** A record of the session that becomes part of a file. */
  record Piece(long offset, int lengthBytes, GroupId group, long sequence) {}

  int PIECES_MAX = 16 * 1024;

  /**
   * Adds pieces to a file, in the order of their sequences. A piece that the session published
   * before, to any file, is left out. Answered with {@link Published}.
   *
   * @param append offsets count from the end of the file at that time
   * @param close whether the session closes the file
   * @param opensUpTo which opens it closes, as in {@link Release}
   */
  record Publish(long file, boolean append, boolean close, long opensUpTo, List<Piece> pieces)
      implements Change {
    public Publish(long file, boolean append, boolean close, List<Piece> pieces) {
      this(file, append, close, ALL_OPENS, pieces);
    }
  }

  record Published(long version, long startOffset, long sizeBytes) implements Message {}

  /**
   * Punches a hole, which reads as zeros, into a range of a file; its size stays. Bytes of the
   * backing store are left: there the client writes zeros. Answered with {@link Punched}.
   */
  record Punch(long file, long offset, long lengthBytes) implements Change {}

  /**
   * A range has become a hole.
   *
   * @param backedBytes but not before this offset
   */
  record Punched(long version, long sizeBytes, long backedBytes) implements Message {}

  /**
   * Records that room was reserved for a range of a file. The room counts as the file's own until
   * it is written, cut or punched. The file is extended to the end of the range, unless its size is
   * to stay. Answered with {@link NodeIs}.
   */
  record Allocate(long file, long offset, long lengthBytes, boolean keepSize) implements Change {}

  /** A run of a file's bytes in one record. */
  record Run(long offset, int lengthBytes, GroupId group, RecordId record, int recordOffset) {}

  /** Answered with {@link RunsAre}; holes are left out. */
  record FindRuns(long file, long offset, long lengthBytes, int max) implements Question {}

  /**
   * The runs of a range of a file.
   *
   * @param throughOffset the runs are complete up to this offset; the next question starts there
   * @param backedBytes gaps between runs are holes from this offset on; before it, the backing
   *     store has them ({@link Data.GetBacked})
   * @param proof what the session shows to seats in order to read these records (P28)
   */
  record RunsAre(
      long sizeBytes,
      long version,
      long throughOffset,
      long backedBytes,
      List<Run> runs,
      long proof)
      implements Message {
    /** Without a proof. */
    public RunsAre(
        long sizeBytes, long version, long throughOffset, long backedBytes, List<Run> runs) {
      this(sizeBytes, version, throughOffset, backedBytes, runs, ContentKey.NO_PROOF);
    }

    public RunsAre with(long newProof) {
      return new RunsAre(sizeBytes, version, throughOffset, backedBytes, runs, newProof);
    }
  }

  // Key-value pairs.

  /** Reserves file numbers for later values and files. Answered with {@link NumbersAre}. */
  record TakeNumbers(int count) implements Change {}

  record NumbersAre(long first, int count) implements Message {}

  /** The pieces are the whole value. Answered with {@link Published}. */
  record PutPair(String key, long file, long sizeBytes, List<Piece> pieces) implements Change {}

  /**
   * Makes a file with all its bytes, where no name is. Readers see all of it or nothing: it is
   * never open and needs no close. Answered with {@link Published}.
   *
   * @param modifyNanos its time of modification, or {@link #NOW}
   * @param file a number that the session took with {@link TakeNumbers}
   */
  record PutFile(
      long directory,
      String path,
      int mode,
      long modifyNanos,
      long file,
      long sizeBytes,
      List<Piece> pieces)
      implements Change {}

  int FILES_PUT_MAX = 64;

  /**
   * Makes files, one after the other, as one change for each would. Answered with {@link FilesPut}.
   */
  record PutFiles(List<PutFile> files) implements Change {}

  /**
   * For each file its version, or 0 if it was refused. Nothing of a refused file has changed, so
   * that the client can put it alone to learn the reason.
   */
  record FilesPut(List<Long> versions) implements Message {}

  /** Answered with {@link PairIs}. */
  record GetPair(String key, int max) implements Question {}

  record PairIs(long file, RunsAre runs) implements Message {}

  /** Answered with Done, or Failed with NOT_FOUND. */
  record DeletePair(String key) implements Change {}

  record ListPairs(String prefix, String after, int max) implements Question {}

  record NamedPair(String key, long sizeBytes, long modifyNanos) {}

  record PairsAre(List<NamedPair> pairs, boolean more) implements Message {}

  // Room.

  /**
   * Reserves room for bytes that are to be written. Answered with {@link RoomIs}; with fewer bytes
   * than wanted if there are not more, and with Failed and NO_SPACE if there are none.
   */
  record TakeRoom(long bytes) implements Change {}

  record RoomIs(long bytes) implements Message {}

  /** Answered with {@link UsageIs}. */
  record GetUsage() implements Question {}

  record UsageIs(long capacityBytes, long usedBytes, long promisedBytes, long nodes)
      implements Message {}

  // Draining.

  /** The drain states of a file. */
  enum DrainState {
    /** In the buffer only; no drain is due yet. */
    BUFFERED,
    /** To be drained when its turn comes, or when the store works again. */
    WAITING,
    /** Being written to the backing store. */
    DRAINING,
    /** Written; about to get its name there. */
    NAMING,
    /** The backing store has all that was published. */
    DURABLE,
    /** Another program changed or removed it in the backing store. */
    CHANGED
  }

  /**
   * The drain state of a file.
   *
   * @param path one of its names, from the root; empty if it has none
   * @param durableVersion the version that the backing store has; 0 for none
   * @param backed whether some of its bytes are in the backing store only
   * @param doneBytes of what is being written now
   * @param attempts how often it was begun since it was last durable
   * @param sinceNanos when it entered its state
   * @param lastError why the last attempt failed, as a sentence; empty if it did not
   */
  record LedgerEntry(
      long file,
      String path,
      long sizeBytes,
      long version,
      long durableVersion,
      boolean backed,
      DrainState state,
      long doneBytes,
      int attempts,
      long sinceNanos,
      String lastError) {}

  /** Answered with {@link LedgerIs}: files in the order of their numbers, behind the given one. */
  record GetLedger(long afterFile, int max) implements Question {}

  /**
   * A page of the ledger.
   *
   * @param bytesPerSecond how fast the tree is being drained now
   * @param trouble why draining makes no progress, as a sentence; empty if it does
   * @param leftOut how many symbolic links and special files of the backing store are not shown
   */
  record LedgerIs(
      List<LedgerEntry> entries,
      boolean more,
      long bytesPerSecond,
      String trouble,
      long leftOut,
      DrainOutlook outlook)
      implements Message {
    /** For a tree that drains on its own and has no lasting trouble. */
    public LedgerIs(
        List<LedgerEntry> entries,
        boolean more,
        long bytesPerSecond,
        String trouble,
        long leftOut) {
      this(entries, more, bytesPerSecond, trouble, leftOut, DrainOutlook.GOES_ON);
    }
  }

  /** What must happen before more of a tree is drained. */
  enum DrainOutlook {
    /** Nothing: draining continues without help. */
    GOES_ON,
    /** A drain must be requested: the policy drains nothing on its own. */
    NEEDS_REQUEST,
    /** An operator must repair what the trouble names. */
    NEEDS_REPAIR
  }

  /** The maximum number of files in one question. */
  int STANDINGS_MAX = 4096;

  /** Answered with {@link StandingsAre}, without deleted files. */
  record GetStandings(List<Long> files) implements Question {}

  /**
   * Where a file is, and whether it is complete.
   *
   * @param buffered whether the buffer has all of it
   * @param stored whether the backing store has all of it
   * @param written whether a client that created it or published to it has not closed it yet
   * @param left whether the session of such a client ended without closing it
   */
  record Standing(
      long file, long version, boolean buffered, boolean stored, boolean written, boolean left) {}

  record StandingsAre(List<Standing> files) implements Message {}

  /**
   * Asks that a file, or every file below a directory, be drained as it is now. Answered with
   * {@link DrainIs}.
   */
  record Drain(long directory, String path) implements Question {}

  /** The files and bytes that are being drained; those that are durable already do not count. */
  record DrainIs(long files, long bytes) implements Message {}

  /**
   * Requests a new look at the backing store, since other programs change it too: at a directory
   * with all below it, or at the directory of a file. Answered with Done; the home looks when a
   * client next needs the names.
   */
  record Refresh(long directory, String path) implements Change {}

  // Advisory locks.

  /** Locks of one kind exclude each other: flock(2)'s of whole files, or fcntl(2)'s of ranges. */
  enum LockKind {
    WHOLE,
    RANGE
  }

  /**
   * An advisory lock of a range of a file, and its owner.
   *
   * @param owner names a process or an open file within its session; its own locks do not exclude
   *     it
   * @param process reported to clients that ask for the holder
   * @param first the first byte
   * @param last the last byte; {@link Long#MAX_VALUE} for all behind
   */
  record Lock(
      long file,
      LockKind kind,
      long owner,
      int process,
      boolean exclusive,
      long first,
      long last) {}

  /**
   * Takes a lock in place of the owner's locks of the range. Answered with {@link LockIs}.
   *
   * @param ticket under which it waits if others hold it, chosen by the client; 0 if it does not
   */
  record SetLock(Lock lock, long ticket) implements Change {}

  /** Releases the owner's locks of a range. Answered with Done. */
  record Unlock(long file, LockKind kind, long owner, long first, long last) implements Change {}

  /** Stops waiting. Answered with {@link LockIs}: the lock may have been granted before. */
  record CancelLock(long ticket) implements Change {}

  /** Whether a request that waited waits still. Answered with {@link LockIs}. */
  record AskLock(long ticket) implements Question {}

  /** The result of a lock request. */
  enum LockState {
    HELD,
    /** Others hold it, and the request does not wait. */
    TAKEN,
    WAITING
  }

  record LockIs(LockState state) implements Message {}

  /** Asks for a lock that excludes this one. Answered with {@link LockHolder}. */
  record FindLock(Lock lock) implements Question {}

  /** One of the locks that are in the way; none if nothing is. */
  record LockHolder(List<Lock> locks) implements Message {}
}
