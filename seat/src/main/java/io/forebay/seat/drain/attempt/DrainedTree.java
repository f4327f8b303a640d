// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.BackingFailure;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.seat.part.TreeContext;
import org.jspecify.annotations.Nullable;

/** A tree whose files are written to the backing store. */
public interface DrainedTree extends TreeContext {
  /** Whether an attempt at the file is being made. */
  boolean worksAt(long file);

  /** Whether the policy wants written bytes to be read back. */
  boolean verifies();

  /** Whether the rate allows another write now. */
  boolean mayWrite();

  void written(int bytes);

  /** A job is over: the file is about to get its name, or has to be drained again. */
  void ended(DrainQueue.Item item, @Nullable BackingFailure failure, String why);
}
