package io.forebay.backing.posix;

import io.forebay.backing.StorePath;
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
 * The directories below a root. Each is opened from the one above it, by handle, and never through
 * a symbolic link: whoever may write in the tree cannot lead Forebay, which often runs as root, to
 * somewhere else, not even by swapping a directory for a link while it is at work. Java cannot make
 * a directory, read a link or count a file's names that way; there paths are used after a walk, and
 * what was made is opened by handle before it is relied on. Any thread.
 */
final class Tree {
  private static final Path HERE = Path.of(".");

  /** One open directory. */
  final class Directory implements AutoCloseable {
    final StorePath path;
    final SecureDirectoryStream<Path> handle;

    private Directory(StorePath path, SecureDirectoryStream<Path> handle) {
      this.path = path;
      this.handle = handle;
    }

    /** Opens a file in it; one that is a symbolic link is refused. */
    FileChannel open(String name, Set<OpenOption> options) throws IOException {
      Set<OpenOption> all = new HashSet<>(options);
      all.add(LinkOption.NOFOLLOW_LINKS);
      return (FileChannel) handle.newByteChannel(Path.of(name), all);
    }

    PosixNode node(String name) throws IOException {
      return PosixNode.read(place(path).resolve(name));
    }

    /** What has the name, or null if nothing does. */
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
          (FileChannel) handle.newByteChannel(HERE, Set.of(StandardOpenOption.READ))) {
        channel.force(true);
      } catch (IOException failure) {
        // What some file systems answer that need no such call.
        if (!String.valueOf(failure.getMessage()).contains("Invalid argument")) throw failure;
      }
    }

    @Override
    public void close() throws IOException {
      handle.close();
    }
  }

  private final Path root;
  // What the root was when it was first seen.
  private final AtomicReference<@Nullable String> rootIdentity = new AtomicReference<>();

  Tree(Path root) {
    this.root = root;
  }

  /** Where people find it. */
  Path place(StorePath path) {
    return path.isRoot() ? root : root.resolve(path.text());
  }

  Directory open(StorePath path) throws IOException {
    return walk(path, false);
  }

  /** Opens a directory, making it and those above it as needed. */
  Directory openOrMake(StorePath path) throws IOException {
    return walk(path, true);
  }

  private Directory walk(StorePath path, boolean make) throws IOException {
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
    StorePath below = at.path.resolve(name);
    try {
      return enter(at, below);
    } catch (NoSuchFileException missing) {
      if (!make) throw missing;
    }
    try {
      Files.createDirectory(place(below));
    } catch (FileAlreadyExistsException other) {
      // Somebody made it just now; if it is not a directory, entering it fails.
      return enter(at, below);
    }
    at.force();
    return enter(at, below);
  }

  private Directory enter(Directory at, StorePath below) throws IOException {
    SecureDirectoryStream<Path> handle =
        secure(
            below, at.handle.newDirectoryStream(Path.of(below.name()), LinkOption.NOFOLLOW_LINKS));
    return new Directory(below, handle);
  }

  // The Directory owns the stream and is closed by whoever opened it.
  @SuppressWarnings("StreamResourceLeak")
  private Directory openRoot() throws IOException {
    try {
      // Before anything is remembered: it may be a file now, and a directory later.
      if (Files.isRegularFile(root)) throw new NotDirectoryException(root.toString());
      PosixNode node = PosixNode.read(root.toRealPath());
      // A mount that went away leaves an empty directory, which would be taken for the store.
      if (!rootIdentity.compareAndSet(null, node.identity())
          && !node.identity().equals(rootIdentity.get())) {
        throw new RootMissing("it is not the directory that it was: is its file system mounted?");
      }
      return new Directory(StorePath.ROOT, secure(StorePath.ROOT, Files.newDirectoryStream(root)));
    } catch (NoSuchFileException missing) {
      throw new RootMissing("it is not there; make it, or mount its file system");
    } catch (NotDirectoryException file) {
      throw new RootMissing("it is not a directory; name one");
    }
  }

  private SecureDirectoryStream<Path> secure(StorePath path, DirectoryStream<Path> stream)
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
