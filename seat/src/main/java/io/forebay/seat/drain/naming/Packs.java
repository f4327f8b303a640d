// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingPath;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.OpenPack;
import java.util.List;
import java.util.Map;

/** The packs as naming needs them. */
public interface Packs {
  /** A new id for each try, since a home does not continue notes that another one began. */
  AttemptId noteId(long change);

  Attempt attempt(OpenPack pack);

  /** The store's tags of a pack's files. */
  List<String> contentTags(OpenPack pack);

  /** What the names of a pack's files may replace, for the files that are to get them. */
  Map<BackingPath, PackNaming.MayReplace> expected(OpenPack pack, BackingView view);

  /** Another program's file has the name of a file in the store. */
  void isTaken(long file);

  /** Something in a pack is dead, or notes were made: it is swept before long. */
  void sweepSoon();
}
