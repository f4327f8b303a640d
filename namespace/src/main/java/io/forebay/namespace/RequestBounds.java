// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lengths and counts that a request about names may have. A home checks them before it journals
 * anything or looks anything up, so that no request takes more room in journals, snapshots and
 * answers than these allow. The tree checks the meaning of names, later.
 */
public final class RequestBounds {
  private RequestBounds() {}

  /** Why the request is refused regardless of the tree's contents, or null. */
  public static Replies.@Nullable Failed objection(Names.Request request) {
    if (request.tree() < 0 || request.tree() > NameLimits.TREES_MAX) {
      return new Replies.Failed(ErrorCode.INVALID, "there can be no tree " + request.tree());
    }
    return objection(request.what());
  }

  private static Replies.@Nullable Failed objection(Names.Op op) {
    return switch (op) {
      case Names.BeginSession o -> text("name of a node", o.node(), NameLimits.NODE_BYTES_MAX);
      case Names.Lookup o -> path(o.path());
      case Names.CheckAccess o -> path(o.path());
      case Names.ListDirectory o -> first(path(o.path()), name(o.after()));
      case Names.ReadLink o -> path(o.path());
      case Names.Open o -> path(o.path());
      case Names.MakeDirectory o -> path(o.path());
      case Names.MakeSymlink o -> first(path(o.path()), path(o.target()));
      case Names.MakeNode o -> path(o.path());
      case Names.MakeLink o -> first(path(o.path()), path(o.newPath()));
      case Names.Unlink o -> path(o.path());
      case Names.RemoveDirectory o -> path(o.path());
      case Names.Rename o -> first(path(o.path()), path(o.newPath()));
      case Names.SetAttributes o -> path(o.path());
      case Names.SetExtra o -> first(path(o.path()), first(extra(o.name()), value(o)));
      case Names.RemoveExtra o -> first(path(o.path()), extra(o.name()));
      case Names.GetExtra o -> first(path(o.path()), extra(o.name()));
      case Names.ListExtras o -> path(o.path());
      case Names.Publish o -> pieces(o.pieces().size());
      case Names.PutPair o -> first(key(o.key()), pieces(o.pieces().size()));
      case Names.PutFile o -> first(path(o.path()), pieces(o.pieces().size()));
      case Names.PutFiles o -> files(o.files());
      case Names.GetPair o -> key(o.key());
      case Names.DeletePair o -> key(o.key());
      case Names.ListPairs o -> first(key(o.prefix()), key(o.after()));
      case Names.GetStandings o -> count("files", o.files().size(), Names.STANDINGS_MAX);
      case Names.Drain o -> path(o.path());
      case Names.Refresh o -> path(o.path());
      case Names.KeepAlive o -> null;
      case Names.EndSession o -> null;
      case Names.Release o -> null;
      case Names.Punch o -> null;
      case Names.Allocate o -> null;
      case Names.FindRuns o -> null;
      case Names.TakeNumbers o -> null;
      case Names.TakeRoom o -> null;
      case Names.GetUsage o -> null;
      case Names.GetLedger o -> null;
      case Names.SetLock o -> null;
      case Names.Unlock o -> null;
      case Names.CancelLock o -> null;
      case Names.AskLock o -> null;
      case Names.FindLock o -> null;
    };
  }

  private static Replies.@Nullable Failed first(
      Replies.@Nullable Failed one, Replies.@Nullable Failed other) {
    return one == null ? other : one;
  }

  private static Replies.@Nullable Failed path(String path) {
    return text("path", path, Names.PATH_BYTES_MAX);
  }

  private static Replies.@Nullable Failed name(String name) {
    return text("name", name, Names.NAME_BYTES_MAX);
  }

  private static Replies.@Nullable Failed key(String key) {
    return text("key", key, Names.KEY_BYTES_MAX);
  }

  private static Replies.@Nullable Failed extra(String name) {
    return text("name of an attribute", name, NameLimits.EXTRA_NAME_BYTES_MAX);
  }

  private static Replies.@Nullable Failed value(Names.SetExtra change) {
    int bytes = change.value().length();
    if (bytes <= NameLimits.EXTRA_VALUE_BYTES_MAX) return null;
    return new Replies.Failed(ErrorCode.TOO_LARGE, "an attribute of " + bytes + " bytes");
  }

  private static Replies.@Nullable Failed pieces(int count) {
    return count("pieces", count, Names.PIECES_MAX);
  }

  /** Each like a single one, and together no more pieces than a single one may have. */
  private static Replies.@Nullable Failed files(List<Names.PutFile> files) {
    Replies.Failed objection = count("files", files.size(), Names.FILES_PUT_MAX);
    int pieces = 0;
    for (Names.PutFile file : files) {
      if (objection != null) return objection;
      objection = path(file.path());
      pieces += Math.min(file.pieces().size(), Names.PIECES_MAX + 1);
    }
    return first(objection, pieces(pieces));
  }

  private static Replies.@Nullable Failed text(String what, String text, int bytesMax) {
    long bytes = NameLimits.utf8Bytes(text);
    if (bytes <= bytesMax) return null;
    return new Replies.Failed(
        ErrorCode.NAME_TOO_LONG, "a %s of %d bytes; at most %d".formatted(what, bytes, bytesMax));
  }

  private static Replies.@Nullable Failed count(String what, int count, int max) {
    if (count <= max) return null;
    return new Replies.Failed(
        ErrorCode.TOO_LARGE, "%d %s in one request; at most %d".formatted(count, what, max));
  }
}
