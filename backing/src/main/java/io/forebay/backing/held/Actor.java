// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * The user for whom files are accessed: the owner of the instance. Staging accesses files as that
 * user ({@link #as}), if the server can. The server itself may have more rights than the owner. So
 * the owner's rights are checked by modes as well, as the kernel would without access lists.
 * Immutable.
 *
 * @param user the owner of the instance
 * @param groups of the owner, the primary one first
 * @param serverUser the user that the server runs as
 */
public record Actor(int user, List<Integer> groups, int serverUser) {
  public static final int READ = 4;
  public static final int WRITE = 2;
  public static final int SEARCH = 1;

  private static final int ROOT = 0;
  private static final int SET_GROUP = 02000;
  private static final int STICKY = 01000;
  private static final int OWNER_SHIFT = 6;
  private static final int GROUP_SHIFT = 3;

  public Actor {
    groups = List.copyOf(groups);
  }

  /** Whether the kernel's own check is that of another user. */
  private boolean isOther() {
    return user != ROOT && user != serverUser;
  }

  /** Whether {@link #as} acts as the owner, or the server is the owner anyway. */
  public boolean isActing() {
    return user == serverUser || switches();
  }

  private boolean switches() {
    return isOther() && serverUser == FileSystemUser.own() && FileSystemUser.isAble();
  }

  /** Accesses files as the owner, if the server can, else as the server. */
  public <T> T as(FileSystemUser.Work<T> work) throws IOException {
    return switches() ? FileSystemUser.as(user, groups, work) : work.run();
  }

  /** Whether new files can and must be given to the owner. */
  private boolean gives() {
    return serverUser == ROOT && user != ROOT;
  }

  /** Fails unless the owner may use a node in all of these ways. */
  public void require(Ownership node, int access, String path) throws AccessDeniedException {
    if (!isOther()) return;
    int bits = node.mode();
    if (node.user() == user) bits >>= OWNER_SHIFT;
    else if (groups.contains(node.group())) bits >>= GROUP_SHIFT;
    if ((bits & access) == access) return;
    throw new AccessDeniedException(path, null, "user " + user + " may not use it");
  }

  /** In a sticky directory only the owner of it, or of the node, takes a name away. */
  public void requireReplacement(Ownership directory, Ownership node, String path)
      throws AccessDeniedException {
    boolean own = node.user() == user || directory.user() == user;
    if (!isOther() || own || (directory.mode() & STICKY) == 0) return;
    throw new AccessDeniedException(path, null, "user " + user + " does not own it");
  }

  /** Whether the owner may change mode, times and group of a node. */
  public boolean mayChangeAttributes(Ownership node) {
    return !isOther() || node.user() == user;
  }

  /** Gives a new node of the server in a directory to the owner. */
  public void give(Path made, Ownership directory, LinkOption... options) throws IOException {
    if (!gives()) return;
    boolean inherits = (directory.mode() & SET_GROUP) != 0;
    int group = groups.isEmpty() ? user : groups.getFirst();
    if (!inherits) Files.setAttribute(made, "unix:gid", group, options);
    Files.setAttribute(made, "unix:uid", user, options);
  }

  /** For sentences about refusals of the kernel. */
  public String describe() {
    if (switches()) return "user %d, who owns the instance, needs".formatted(user);
    return isOther()
        ? "user %d, who owns the instance, and user %d, who runs the server, need"
            .formatted(user, serverUser)
        : "user %d, who runs the server, needs".formatted(serverUser);
  }
}
