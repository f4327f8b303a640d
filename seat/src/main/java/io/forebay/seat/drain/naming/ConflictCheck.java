// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.base.PackPlace;
import io.forebay.namespace.tree.BackingView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Detects changes by other programs in a backing store, so that unseen content is never replaced,
 * and no reader gets a mixture of two versions.
 */
public final class ConflictCheck {
  /**
   * A conflict of a file.
   *
   * @param stored the known state in the store at that time; it differs once the conflict is
   *     settled
   */
  public record Finding(String sentence, BackingView.@Nullable Stored stored) {}

  private static final String BY_OTHERS = "; another program did that: ";

  private ConflictCheck() {}

  /**
   * Refuses to replace unexpected content of a name. A missing file cannot be replaced.
   *
   * @param expected null if any content may be there
   */
  public static void requireExpected(
      BackingStore store, BackingPath name, BackingView.@Nullable Expected expected)
      throws BackingException {
    if (expected == null) return;
    boolean asExpected =
        expected.contentTag().isEmpty()
            ? !exists(store, name)
            : isVersion(store, name, expected.contentTag());
    if (!asExpected && exists(store, name))
      throw new BackingException(conflict(store.description(), name));
  }

  /** Another program's file has the name. */
  static BackingFailure conflict(String store, BackingPath name) {
    return new BackingFailure.ChangedUnderneath(
        ("another program has changed '%s' in %s, so it is not replaced: move it away there if this"
                + " version is to count; else 'forebay rm' and then 'forebay refresh' it here")
            .formatted(name, store));
  }

  /** Refuses to begin with a file of which bytes are needed that the store has no more. */
  public static void requireThere(BackingStore store, BackingView.@Nullable Stored needed)
      throws BackingException {
    if (needed == null) return;
    if (isVersion(store, BackingPath.of(needed.name()), needed.contentTag())) return;
    throw new BackingException(lost(needed.name()));
  }

  public static BackingFailure lost(String path) {
    return new BackingFailure.ChangedUnderneath(
        ("another program has changed or removed what only the backing store had of '%s', so it"
                + " cannot be drained: delete it here, and 'forebay refresh' shows what is there")
            .formatted(path));
  }

  /** Why the stored bytes cannot be read, if another program is the cause; else null. */
  public static @Nullable String sentence(BackingFailure failure, String name) {
    return switch (failure) {
      case BackingFailure.Changed changed -> changed.sentence() + "; " + remedy(name);
      case BackingFailure.NotFound gone -> gone.sentence() + BY_OTHERS + remedy(name);
      case BackingFailure.WrongKind other -> other.sentence() + BY_OTHERS + remedy(name);
      default -> null;
    };
  }

  private static String remedy(String name) {
    return "'forebay refresh " + name + "' takes what is there now";
  }

  public static boolean exists(BackingStore store, BackingPath path) throws BackingException {
    try {
      store.stat(path);
      return true;
    } catch (BackingException e) {
      if (e.failure() instanceof BackingFailure.NotFound) return false;
      throw e;
    }
  }

  /**
   * Whether a name has that content. If the words for it differ the store compares: some call the
   * same content differently when they list it.
   */
  static boolean isVersion(BackingStore store, BackingPath path, String contentTag)
      throws BackingException {
    try {
      String there = store.stat(path).version();
      if (PackPlace.isOne(contentTag)) return PackPlace.sameContent(there, contentTag);
      if (!there.equals(contentTag)) {
        store.read(path, contentTag, 0, ByteBuffer.allocate(1));
      }
      return true;
    } catch (BackingException e) {
      boolean other =
          e.failure() instanceof BackingFailure.NotFound
              || e.failure() instanceof BackingFailure.Changed
              || e.failure() instanceof BackingFailure.WrongKind;
      if (other) return false;
      throw e;
    }
  }
}
