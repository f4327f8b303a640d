package io.forebay.namespace.tree;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.wire.message.Data;

/** Hears what a change does besides its reply. */
public interface Effects {
  /** Records in a group that count no longer. */
  void dead(GroupId group, Data.Dead dead);

  /** A file lost its last name; it lives on by its number until it is forgotten. */
  void orphaned(FileId file);

  /** A session ended. */
  void ended(long session);
}
