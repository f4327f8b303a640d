// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/** A group's journal, from its home to its members. */
public interface Journals {
  /** One entry; the epoch is the one it was proposed in. */
  record Entry(long epoch, boolean forced, Bytes content) {}

  /**
   * Entries that follow the one named before them. Answered with {@link Appended}. A member whose
   * journal has another entry there, or none, refuses.
   *
   * @param previousEpoch negative where the home's journal begins with a snapshot: earlier entries
   *     are obsolete, and a member that is not current drops all its entries
   * @param committed every entry up to this index is confirmed by all
   */
  record Append(
      GroupId group,
      long epoch,
      long previousIndex,
      long previousEpoch,
      long committed,
      List<Entry> entries)
      implements GroupMessage {}

  /**
   * The current contents of a member's journal.
   *
   * @param matched whether the entries followed
   * @param lastIndex the last entry it has safely, as far as it agrees with the home's
   */
  record Appended(GroupId group, long epoch, SeatId member, boolean matched, long lastIndex)
      implements GroupMessage {}

  /** A new home asks for a member's journal. Answered with {@link JournalIs}. */
  record AskJournal(GroupId group, long epoch) implements GroupMessage {}

  record JournalIs(
      GroupId group, long epoch, SeatId member, long firstIndex, long lastIndex, long lastEpoch)
      implements Message {}

  /** A new home asks for entries it lacks. Answered with {@link Entries}. */
  record FetchEntries(GroupId group, long epoch, long fromIndex, int bytesMax)
      implements GroupMessage {}

  record Entries(GroupId group, long epoch, long fromIndex, List<Entry> entries)
      implements Message {}

  /** Everything before the index is contained in the snapshot that starts there. Request 0. */
  record Trim(GroupId group, long epoch, long beforeIndex) implements GroupMessage {}
}
