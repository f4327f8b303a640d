package io.forebay.server.stage;

import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * On whose behalf files are touched. The kernel sees the server, which may be allowed more than the
 * owner of the instance: so the owner's rights are looked up in modes, as the kernel would. Access
 * lists are not looked at.
 *
 * @param who the owner of the instance, with the groups of who asked
 * @param server whoever runs the server
 */
record Actor(Identity who, Identity server) {
  static final int READ = 4;
  static final int WRITE = 2;
  static final int SEARCH = 1;

  private static final int SET_GROUP = 02000;
  private static final int STICKY = 01000;
  private static final int OWNER_SHIFT = 6;
  private static final int GROUP_SHIFT = 3;

  /** Whether the kernel's own check is that of another user. */
  private boolean isOther() {
    return who.user() != Identity.ROOT && who.user() != server.user();
  }

  /** Whether what is made can and must be given to the owner. */
  private boolean gives() {
    return server.user() == Identity.ROOT && who.user() != Identity.ROOT;
  }

  void require(FileNode node, int access, String path) throws AccessDeniedException {
    if (!isOther()) return;
    int bits = node.mode();
    if (node.user() == who.user()) bits >>= OWNER_SHIFT;
    else if (who.groups().contains(node.group())) bits >>= GROUP_SHIFT;
    if ((bits & access) == access) return;
    throw new AccessDeniedException(path, null, "user " + who.user() + " may not use it");
  }

  /** In a directory for everybody only the owner of it, or of the node, takes a name away. */
  void requireReplacement(FileNode directory, FileNode node, String path)
      throws AccessDeniedException {
    boolean own = node.user() == who.user() || directory.user() == who.user();
    if (!isOther() || own || (directory.mode() & STICKY) == 0) return;
    throw new AccessDeniedException(path, null, "user " + who.user() + " does not own it");
  }

  /** What the server has made in a directory is the owner's. */
  void give(Path made, FileNode directory) throws IOException {
    if (!gives()) return;
    boolean inherits = (directory.mode() & SET_GROUP) != 0;
    if (!inherits) {
      Files.setAttribute(made, "unix:gid", who.primaryGroup(), LinkOption.NOFOLLOW_LINKS);
    }
    Files.setAttribute(made, "unix:uid", who.user(), LinkOption.NOFOLLOW_LINKS);
  }

  /** For sentences about what the kernel refuses. */
  String describe() {
    return isOther()
        ? "user %d, who owns the instance, and user %d, who runs the server, need"
            .formatted(who.user(), server.user())
        : "user %d, who runs the server, needs".formatted(server.user());
  }
}
