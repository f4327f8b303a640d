// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import java.util.List;

/** Records: store, copy, read, delete. */
public interface Data {
  /**
   * A record for a group's home, with its payload. Answered with {@link PutDone}.
   *
   * @param secret of the session that the record's id names (P28)
   */
  record Put(
      GroupId group,
      long epoch,
      RecordId record,
      FileId file,
      long offset,
      boolean forced,
      long secret,
      Checksums checksums)
      implements GroupMessage {}

  /** Every current member has the record at the requested level. */
  record PutDone(RecordId record) implements Message {}

  /**
   * The home refuses the record: its group is short of room, and the named group has more. The
   * client retries the piece there, and sends the following pieces there too for a while (P3).
   */
  record PutElsewhere(RecordId record, GroupId group, String reason) implements Message {}

  /** The same record for the next member in the group's order, with its payload. */
  record Replicate(
      GroupId group,
      long epoch,
      RecordId record,
      FileId file,
      long offset,
      boolean forced,
      Checksums checksums)
      implements GroupMessage {}

  /** A member reports to the home that it has the record, or why not. Request 0. */
  record Confirm(GroupId group, long epoch, RecordId record, SeatId member, ErrorCode code)
      implements GroupMessage {}

  /**
   * Asks any member of a group for a piece of a record. Answered with {@link Got}.
   *
   * @param proof that the client may read it (P28): that of its file, or the secret of the session
   *     that wrote it; seats need none
   */
  record Get(
      GroupId group, RecordId record, int instance, int recordOffset, int lengthBytes, long proof)
      implements Message {}

  /** The piece as payload, with the checksums of its 64 KiB blocks counted from its start. */
  record Got(Checksums checksums) implements Message {}

  /**
   * Asks the home of a tree for a piece of a file that the backing store has. Answered with {@link
   * Got}, of fewer bytes if the file ends before, or with {@link InBuffer}.
   *
   * @param session the session that has the file open
   * @param who the reader's identity
   */
  record GetBacked(
      GroupId treeGroup,
      long epoch,
      int instance,
      int tree,
      long session,
      Identity who,
      long file,
      long offset,
      int lengthBytes)
      implements GroupMessage, ClaimsUser {
    @Override
    public GroupId group() {
      return treeGroup;
    }
  }

  /** The piece is in the buffer by now: in this record, from this offset on. */
  record InBuffer(GroupId group, RecordId record, int recordOffset) implements Message {}

  /**
   * From the home of a tree to a group's home: read a piece of a file from the backing store, and
   * keep it as this record. Answered with {@link PutDone}.
   *
   * @param name the file's name in the store
   * @param contentTag the store's tag of the expected content
   */
  record PutBacked(
      GroupId group,
      long epoch,
      RecordId record,
      FileId file,
      String name,
      String contentTag,
      long offset,
      int lengthBytes,
      boolean forced)
      implements GroupMessage {}

  /** Records that count no longer: a whole file, or of one session a range, both ends included. */
  record Dead(FileId file, boolean wholeFile, long session, long fromSequence, long toSequence) {
    public static Dead file(FileId file) {
      return new Dead(file, true, 0, 0, 0);
    }

    public static Dead record(RecordId record) {
      FileId any = new FileId(0, 0);
      return records(any, record.session(), record.sequence(), record.sequence());
    }

    public static Dead records(FileId file, long session, long fromSequence, long toSequence) {
      return new Dead(file, false, session, fromSequence, toSequence);
    }
  }

  /** From a tree's leased home to a group's home: these count no longer. Answered with Done. */
  record Kill(GroupId group, long epoch, List<Dead> dead) implements GroupMessage {}

  /** From a group's home to its members. Answered with Done. */
  record KillCopies(GroupId group, long epoch, List<Dead> dead) implements GroupMessage {}

  /**
   * From a seat that holds records to the home of a tree: which of these records of the tree are
   * neither published nor can be any more? Answered with {@link DeadAre}, or, by the home of an
   * instance's list of trees, with {@link TreeIsIn}.
   */
  record AskDead(GroupId treeGroup, long epoch, int instance, int tree, List<RecordId> records)
      implements GroupMessage {
    @Override
    public GroupId group() {
      return treeGroup;
    }
  }

  /**
   * Records that a leased home knows to be dead. Dead records stay dead.
   *
   * @param version while it is unchanged, all other records are alive
   */
  record DeadAre(List<RecordId> records, long version) implements Message {}

  /** A private tree is in another group. */
  record TreeIsIn(GroupId group) implements Message {}

  /**
   * From a seat to the home of a tree: which key do the proofs of its files follow from? Answered
   * with {@link KeyIs} or, by the home of an instance's list of trees, with {@link TreeIsIn}.
   */
  record AskKey(GroupId treeGroup, long epoch, int instance, int tree) implements GroupMessage {
    @Override
    public GroupId group() {
      return treeGroup;
    }
  }

  /** The key of a tree, of {@link io.forebay.base.proof.ContentKey#BYTES}. */
  record KeyIs(Bytes key) implements Message {}

  /**
   * From the home of a private tree to that of its instance's list of trees: give the tree room out
   * of the capacity. Answered with {@link Names.RoomIs}: all that it has got.
   */
  record GrowTree(GroupId rootGroup, long epoch, int instance, int tree, long wantedBytes)
      implements GroupMessage {
    @Override
    public GroupId group() {
      return rootGroup;
    }
  }

  /** From a tree's leased home to a group's home: the session has ended. Answered with Done. */
  record SessionOver(
      GroupId group, long epoch, GroupId treeGroup, int instance, int tree, long session)
      implements GroupMessage {}

  /**
   * From a tree's leased home to a group's home: the session has given up pieces, whose records are
   * to be searched for. Answered with Done.
   */
  record PiecesGivenUp(
      GroupId group, long epoch, GroupId treeGroup, int instance, int tree, long session)
      implements GroupMessage {}

  /**
   * From a group's home to a member that is brought up to date: which of these records does it not
   * have as safely as they must be? Answered with {@link MissingAre}.
   */
  record AskMissing(GroupId group, long epoch, boolean forced, List<RecordId> records)
      implements GroupMessage {}

  record MissingAre(List<RecordId> records) implements Message {}

  /**
   * From a seat to another member of a group: send copies of these records to a seat whose own are
   * damaged. Answered with {@link MissingAre}: the records that it cannot send.
   */
  record SendAgain(GroupId group, long epoch, SeatId to, List<RecordId> records)
      implements GroupMessage {}

  /**
   * A seat's bytes of a record did not match their checksums. Answered with Done, then verified.
   */
  record LooksDamaged(RecordId record) implements Message {}

  /**
   * Asks a seat which of these records it cannot give, of at most {@link #HELD_RECORDS_MAX}.
   * Answered with {@link LackingAre}.
   */
  record AskHeld(int instance, List<RecordId> records) implements Message {}

  int HELD_RECORDS_MAX = 16 * 1024;

  /**
   * The same, but the seat verifies checksums before it answers. For at most {@link
   * #SOUND_RECORDS_MAX} records.
   */
  record AskSound(int instance, List<RecordId> records) implements Message {}

  int SOUND_RECORDS_MAX = 1024;

  /** A record that a seat cannot give, and since when it knows, in wall time; 0 if it does not. */
  record Lacking(RecordId record, long sinceNanos) {}

  record LackingAre(List<Lacking> records) implements Message {}
}
