// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.outcome;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.wire.message.Data;

/** Collects the effects of a change besides its reply. */
public interface Effects {
  /** For reading: it changes nothing, so an effect would be a fault of the code. */
  Effects NOT_EXPECTED =
      new Effects() {
        @Override
        public void dead(GroupId group, Data.Dead dead) {
          throw new IllegalStateException("reading kills " + dead);
        }

        @Override
        public void orphaned(FileId file) {
          throw new IllegalStateException("reading unlinks " + file);
        }

        @Override
        public void ended(long session) {
          throw new IllegalStateException("reading ends " + session);
        }
      };

  /** Records in a group that count no longer. */
  void dead(GroupId group, Data.Dead dead);

  /** A file lost its last name; it lives on by its number until it is forgotten. */
  void orphaned(FileId file);

  /** A session ended. */
  void ended(long session);
}
