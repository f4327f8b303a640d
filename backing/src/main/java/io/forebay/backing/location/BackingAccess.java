// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.location;

import io.forebay.backing.held.Actor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The stores that a server may open, and the user for whom it does. Immutable; any thread.
 *
 * @param server the server's name, for messages
 */
public record BackingAccess(String server, BackingRoots roots, Actor actor) {
  /**
   * Fails unless an address is one that the operator named, or below one.
   *
   * @throws IllegalArgumentException with a sentence for people
   */
  public void require(BackingLocation location) {
    if (location.scheme().equals(BackingLocation.SLOW)) return; // the address behind it is checked
    if (BackingRoots.isDirectory(location)) {
      Path directory = BackingRoots.directory(location);
      if (isBelowRoot(directory)) return;
      throw new IllegalArgumentException(refusal("'" + directory + "' is", "DIR"));
    }
    if (roots.allows(location)) return;
    String address = location.scheme() + ":" + location.rest();
    throw new IllegalArgumentException(
        refusal("'" + address + "', with these settings, is", "ADDRESS"));
  }

  private boolean isBelowRoot(Path directory) {
    for (Path root : roots.directories()) {
      if (directory.startsWith(root)) return true;
      Path real = realPath(root);
      if (real != null && directory.startsWith(real)) return true;
    }
    return false;
  }

  /** The root below which a real path lies. */
  public Path rootOf(Path real) throws IOException {
    for (Path root : roots.directories()) {
      Path realRoot = realPath(root);
      if (realRoot != null && real.startsWith(realRoot)) return realRoot;
    }
    throw new IOException(refusal("'" + real + "', where it leads, is", "DIR"));
  }

  private String refusal(String whatIs, String label) {
    return roots.isEmpty()
        ? "%s not allowed: server %s may use no backing store; start it with --backing-root %s"
            .formatted(whatIs, server, label)
        : "%s not below %s, which server %s may use; choose such a place, or start it with another --backing-root"
            .formatted(whatIs, roots, server);
  }

  private static @Nullable Path realPath(Path path) {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException missing) {
      return null;
    } catch (IOException unreadable) {
      // Then nothing below it can be used either, which the walk down to it says.
      return null;
    }
  }
}
