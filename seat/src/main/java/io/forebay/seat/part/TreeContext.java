// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.wire.message.Names;
import org.jspecify.annotations.Nullable;

/** A drained tree at its home, for the parts of its drain. */
public interface TreeContext {
  /** The minimum pause before a retry. */
  long RETRY_NANOS_MIN = 200_000_000L;

  /** Places where aborted attempts may still turn up in the backing store. */
  interface Leftovers {
    /** An attempt is aborted: its pending calls may still be carried out. */
    void suspect(DrainAttempt attempt);

    /** The same for a directory. */
    void suspect(BackingPath directory);
  }

  int instance();

  int tree();

  HomeView home();

  /** Whether this home may still act in the backing store. */
  boolean active();

  /** The journal's view of the backing store; null if the tree no longer exists. */
  @Nullable BackingView view();

  /** Null if the instance has no backing store that can be used. */
  @Nullable Backing backing();

  /** Puts a change through the journal. */
  void propose(GroupCommand command, HomeView.Change change);

  /** The name and attributes with which an attempt is to be stored. */
  Attempt attempt(long file, DrainAttempt attempt, FileAttributes attributes);

  Leftovers leftovers();

  RetryPace newPace();

  /** The backing store fails. */
  void troubled(BackingFailure failure);

  /** The backing store works. */
  void works();

  /** Another program changed the store's copy of a file, or replaced it. */
  void changedUnderneath(long file, String sentence);

  /** The attributes that the store keeps of a file; none of a deleted one. */
  static FileAttributes attributesOf(Names.@Nullable Attributes known) {
    if (known == null) return FileAttributes.NONE;
    return new FileAttributes(
        known.mode() & FileAttributes.MODE_MASK, known.user(), known.group(), known.modifyNanos());
  }
}
