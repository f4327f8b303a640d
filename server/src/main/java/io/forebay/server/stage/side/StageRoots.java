// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Pinned;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of the file system that may be staged: everything below the configured directories. It
 * is entered as the owner of the instance; a server that cannot act as that user stages nothing.
 */
public final class StageRoots implements Side {
  private static final int MADE_MODE = 0755;

  private final List<Path> roots;
  private final String server;
  private final Actor actor;
  private final FilePace pace;

  /**
   * A side for one stage.
   *
   * @param roots whole paths; nothing can be staged if there are none
   * @param server for sentences
   * @param pace for all stages of the server
   */
  public StageRoots(List<Path> roots, String server, Actor actor, FilePace pace) {
    this.roots = List.copyOf(roots);
    this.server = server;
    this.actor = actor;
    this.pace = pace;
  }

  @Override
  public Found find(String text) throws IOException {
    requireActor();
    return actor.as(() -> search(text));
  }

  private Found search(String text) throws IOException {
    Path asked = requireBelow(text);
    Path real = asked.toRealPath();
    Path root = requireRoot(asked, real);
    FileDirectory at = open(root);
    Path below = root.relativize(real);
    int mode = MADE_MODE;
    try {
      for (int i = 0; i < below.getNameCount(); i++) {
        String name = below.getName(i).toString();
        if (name.isEmpty()) break;
        Item item = at.look(name);
        if (item == null) throw new NoSuchFileException(text);
        boolean last = i == below.getNameCount() - 1;
        if (last && item.kind() != Item.Kind.DIRECTORY) return new Found.Other(at, item);
        at = step(at, at.enter(name));
        mode = item.mode();
      }
      return new Found.Directory(at, mode);
    } catch (IOException e) {
      at.close();
      throw e;
    }
  }

  @Override
  public FileDirectory at(String path) throws IOException {
    Found found = find(path);
    if (found instanceof Found.Directory directory
        && directory.place() instanceof FileDirectory place
        && place.path().equals(path)) {
      return place;
    }
    found.close();
    throw new StageRefused("'%s' has become a link or a file".formatted(path));
  }

  @Override
  public FileDirectory directory(String text, int mode) throws IOException {
    requireActor();
    return actor.as(() -> enterOrMake(text, mode));
  }

  private void requireActor() throws IOException {
    if (actor.isActing()) return;
    throw new StageRefused(
        "server %s runs as user %d and stages only for that user, not for user %d, who owns the instance; "
                .formatted(server, actor.serverUser(), actor.user())
            + "start it as root, or with the capabilities CAP_SETUID and CAP_SETGID");
  }

  private FileDirectory enterOrMake(String text, int mode) throws IOException {
    Path asked = requireBelow(text);
    // A missing path has no real path: it is appended to that of its existing ancestor.
    ArrayDeque<String> missing = new ArrayDeque<>();
    Path there = asked;
    Path real = realPath(there);
    while (real == null) {
      missing.addFirst(String.valueOf(there.getFileName()));
      there = there.getParent();
      if (there == null) throw new NoSuchFileException(text);
      real = realPath(there);
    }
    Path root = requireRoot(asked, real);
    FileDirectory at = open(root);
    try {
      for (Path name : root.relativize(real)) {
        if (!name.toString().isEmpty()) at = step(at, at.enter(name.toString()));
      }
      while (!missing.isEmpty()) {
        String name = missing.removeFirst();
        at = step(at, at.make(name, missing.isEmpty() ? mode : MADE_MODE));
      }
      return at;
    } catch (IOException e) {
      at.close();
      throw e;
    }
  }

  private static FileDirectory step(FileDirectory from, FileDirectory to) {
    from.close();
    return to;
  }

  private FileDirectory open(Path realRoot) throws IOException {
    return FileDirectory.of(Pinned.directory(realRoot), actor, pace);
  }

  private static @Nullable Path realPath(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Before any lookup: a request must not reveal what exists elsewhere. */
  private Path requireBelow(String text) throws IOException {
    if (roots.isEmpty()) {
      throw new StageRefused(
          "server %s may stage nothing; start it with --stage-root DIR, a directory below which"
                  .formatted(server)
              + " files may be staged");
    }
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      throw new StageRefused(
          "'%s' is no path here: %s; start the server with a locale of UTF-8"
              .formatted(text, e.getReason()));
    }
    for (Path name : path) {
      if (name.toString().equals("..")) {
        throw new StageRefused("'" + text + "' has '..' in it; write the path without");
      }
    }
    Path normal = path.normalize();
    for (Path root : roots) {
      Path realRoot = realPath(root);
      if (normal.startsWith(root)) {
        if (realRoot != null) return normal;
        throw new StageRefused(
            "the stage root '%s' of server %s does not exist; make it, or start the server with another --stage-root"
                .formatted(root, server));
      }
      if (realRoot != null && normal.startsWith(realRoot)) return normal;
    }
    throw outside("'" + text + "' is");
  }

  /** The root that contains a real path. */
  private Path requireRoot(Path asked, Path real) throws IOException {
    for (Path root : roots) {
      Path realRoot = realPath(root);
      if (realRoot != null && real.startsWith(realRoot)) return realRoot;
    }
    throw outside("'" + asked + "' leads");
  }

  private StageRefused outside(String whatIs) {
    return new StageRefused(
        "%s outside of what server %s may stage; choose a path below %s, or start it with another"
                .formatted(
                    whatIs,
                    server,
                    roots.stream().map(Path::toString).collect(Collectors.joining(" or ")))
            + " --stage-root");
  }
}
