// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.BackingPath;
import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Ownership;
import io.forebay.backing.held.Pinned;
import io.forebay.backing.location.BackingAccess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The directories below a root. Each is opened from the one above it, by descriptor, and never
 * through a symbolic link: a user with write access to the tree cannot redirect Forebay, which
 * often runs as root, to another place, not even by swapping a directory for a link during an
 * operation. A store that is used for the owner of an instance only enters directories that this
 * user may enter. Any thread.
 */
final class Tree {
  private static final Path HERE = Path.of(".");

  /** One open directory. */
  final class Directory implements AutoCloseable {
    final BackingPath path;
    private final Pinned held;
    private @Nullable SecureDirectoryStream<Path> handle;

    private Directory(BackingPath path, Pinned held) {
      this.path = path;
      this.held = held;
    }

    /** For the JDK's operations on names in an open directory; needs the right to read it. */
    @SuppressWarnings("StreamResourceLeak") // Closed with the directory.
    SecureDirectoryStream<Path> handle() throws IOException {
      if (handle == null) handle = secure(path, Files.newDirectoryStream(held.self()));
      return handle;
    }

    /** Fails unless the store's user has these rights in it. */
    void require(int rights) throws IOException {
      if (actor == null) return;
      actor.require(Ownership.of(held.self()), rights, place(path).toString());
    }

    /** Fails unless that user may change names in it. */
    void requireWrite() throws IOException {
      require(Actor.WRITE | Actor.SEARCH);
    }

    /** Fails unless that user may take a name away, or give it to something else. */
    void requireReplaceable(String name) throws IOException {
      requireWrite();
      if (actor == null) return;
      try {
        Ownership there = Ownership.of(held.inside(name), LinkOption.NOFOLLOW_LINKS);
        actor.requireReplacement(
            Ownership.of(held.self()), there, place(path).resolve(name).toString());
      } catch (NoSuchFileException free) {
        return;
      }
    }

    /** Fails unless that user may read a file in it. */
    void requireReadable(String name) throws IOException {
      if (actor == null) return;
      Ownership file = Ownership.of(held.inside(name), LinkOption.NOFOLLOW_LINKS);
      actor.require(file, Actor.READ, place(path).resolve(name).toString());
    }

    /** Whether that user may change the attributes of something in it. */
    boolean mayChangeAttributes(String name) throws IOException {
      return actor == null
          || actor.mayChangeAttributes(Ownership.of(held.inside(name), LinkOption.NOFOLLOW_LINKS));
    }

    /** Holds the node of a name; a link itself, not its target. */
    Pinned hold(String name) throws IOException {
      return held.any(name);
    }

    /** A path to a name in this very directory, even if the directory was renamed. */
    Path inside(String name) throws IOException {
      return held.inside(name);
    }

    /** Opens a file in it; one that is a symbolic link is refused. */
    FileChannel open(String name, Set<OpenOption> options) throws IOException {
      Set<OpenOption> all = new HashSet<>(options);
      all.add(LinkOption.NOFOLLOW_LINKS);
      return (FileChannel) handle().newByteChannel(Path.of(name), all);
    }

    PosixNode node(String name) throws IOException {
      return PosixNode.read(held.inside(name));
    }

    /** The node of that name, or null. */
    @Nullable PosixNode find(String name) throws IOException {
      try {
        return node(name);
      } catch (NoSuchFileException missing) {
        return null;
      }
    }

    /** Makes names that came into it or went from it lasting. */
    void force() throws IOException {
      try (FileChannel channel =
          (FileChannel) handle().newByteChannel(HERE, Set.of(StandardOpenOption.READ))) {
        channel.force(true);
      } catch (IOException failure) {
        // The answer of some file systems that need no such call.
        if (!String.valueOf(failure.getMessage()).contains("Invalid argument")) throw failure;
      }
    }

    @Override
    public void close() throws IOException {
      held.close();
      if (handle != null) handle.close();
    }
  }

  private final Path root;
  // The identity of the root when it was first seen.
  private final AtomicReference<@Nullable String> rootIdentity = new AtomicReference<>();

  private final @Nullable BackingAccess access;
  private final @Nullable Actor actor;

  /** Below a root, within the limits of an access; null for those of this process. */
  Tree(Path root, @Nullable BackingAccess access) {
    this.root = root;
    this.access = access;
    this.actor = access == null ? null : access.actor();
  }

  /** Its path, for messages. */
  Path place(BackingPath path) {
    return path.isRoot() ? root : root.resolve(path.text());
  }

  Directory open(BackingPath path) throws IOException {
    return walk(path, false);
  }

  /** Opens a directory, making it and those above it as needed. */
  Directory openOrMake(BackingPath path) throws IOException {
    return walk(path, true);
  }

  private Directory walk(BackingPath path, boolean make) throws IOException {
    Directory at = openRoot();
    try {
      for (String name : path.names()) {
        Directory next = step(at, name, make);
        at.close();
        at = next;
      }
      return at;
    } catch (IOException | RuntimeException failure) {
      at.close();
      throw failure;
    }
  }

  private Directory step(Directory at, String name, boolean make) throws IOException {
    BackingPath below = at.path.resolve(name);
    try {
      return enter(at, below);
    } catch (NoSuchFileException missing) {
      if (!make) throw missing;
    }
    at.requireWrite();
    try {
      Files.createDirectory(at.inside(name));
    } catch (FileAlreadyExistsException other) {
      // Another process made it just now; if it is not a directory, entering it fails.
      return enter(at, below);
    }
    at.force();
    if (actor != null) {
      // By a handle: another directory may have the name by now, or none.
      try (Pinned made = at.held.directory(name)) {
        actor.give(made.self(), Ownership.of(at.held.self()));
      }
    }
    return enter(at, below);
  }

  private Directory enter(Directory at, BackingPath below) throws IOException {
    return searchable(new Directory(below, at.held.directory(below.name())));
  }

  private Directory searchable(Directory entered) throws IOException {
    try {
      entered.require(Actor.SEARCH);
      return entered;
    } catch (IOException | RuntimeException refused) {
      entered.close();
      throw refused;
    }
  }

  private Directory openRoot() throws IOException {
    try {
      // Before anything is cached: it may be a file now, and a directory later.
      if (Files.isRegularFile(root)) throw new NotDirectoryException(root.toString());
      Path real = root.toRealPath();
      Directory opened =
          new Directory(BackingPath.ROOT, access == null ? hold(real) : walkTo(real));
      return requireSame(searchable(opened));
    } catch (NoSuchFileException missing) {
      throw new RootMissing("it is not there; make it, or mount its file system");
    } catch (NotDirectoryException file) {
      throw new RootMissing("it is not a directory; name one");
    }
  }

  private static Pinned hold(Path real) throws IOException {
    return Pinned.directory(real);
  }

  /** Walks from the operator's root on, as far as the store's user may go. */
  private Pinned walkTo(Path real) throws IOException {
    if (access == null || actor == null) return hold(real);
    Path allowed;
    try {
      allowed = access.rootOf(real);
    } catch (IOException outside) {
      throw new RootMissing(String.valueOf(outside.getMessage()));
    }
    Pinned at = Pinned.directory(allowed);
    try {
      for (Path name : allowed.relativize(real)) {
        if (name.toString().isEmpty()) continue;
        actor.require(Ownership.of(at.self()), Actor.SEARCH, at.path().toString());
        Pinned next = at.directory(name.toString());
        at.close();
        at = next;
      }
      return at;
    } catch (IOException | RuntimeException failure) {
      at.close();
      throw failure;
    }
  }

  /** A mount that disappeared leaves an empty directory, which would be taken for the store. */
  private Directory requireSame(Directory opened) throws IOException {
    String identity = PosixNode.ofHeld(opened.held.self()).identity();
    if (rootIdentity.compareAndSet(null, identity) || identity.equals(rootIdentity.get())) {
      return opened;
    }
    opened.close();
    throw new RootMissing("it is not the directory that it was: is its file system mounted?");
  }

  private SecureDirectoryStream<Path> secure(BackingPath path, DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> handle) return handle;
    stream.close();
    throw new IOException(place(path) + ": this system has no handles of directories");
  }

  /** The directory that the store is made of cannot be used at all. */
  static final class RootMissing extends IOException {
    private static final long serialVersionUID = 1L;

    RootMissing(String words) {
      super(words);
    }
  }
}
