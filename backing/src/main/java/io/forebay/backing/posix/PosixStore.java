// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Pinned;
import io.forebay.backing.location.BackingAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory as a backing store. An attempt is a file {@code .forebay-ID} beside the final name,
 * not in a common directory: only there it is certain to be on the same file system and under the
 * same quota, and to inherit the layout, the group and the access list of the final directory. Its
 * handle is its inode, which identifies it after the rename. Any thread.
 */
public final class PosixStore implements BackingStore {
  private static final Logger LOG = LoggerFactory.getLogger(PosixStore.class);
  private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

  /** Something done to files. */
  private interface Work<T> {
    T run() throws IOException, BackingException;
  }

  private final Tree tree;
  private final Path root;
  private final PosixAttempts attempts;
  private volatile Capabilities capabilities;

  /** Whether the stripe size of the file system is known, or not needed. */
  private volatile boolean stripeKnown;

  /** A store that asks its file system how long stripes are, as soon as something is done there. */
  PosixStore(Path root, @Nullable BackingAccess access) {
    this(root, FileSystemStripe.BYTES_DEFAULT, access);
    stripeKnown = false;
  }

  PosixStore(Path root, long stripeBytes, @Nullable BackingAccess access) {
    this.root = root;
    this.tree = new Tree(root, access);
    this.attempts = new PosixAttempts(tree);
    this.capabilities = capabilities(stripeBytes);
    this.stripeKnown = true;
  }

  private static Capabilities capabilities(long stripeBytes) {
    return new Capabilities(
        true,
        true,
        1,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        true,
        true,
        true,
        true,
        true,
        stripeBytes,
        Capabilities.Verification.READ_BACK);
  }

  /** Not at opening: the caller must not wait for a file system that hangs. */
  private void askStripe() {
    if (stripeKnown) return;
    try {
      capabilities = capabilities(FileSystemStripe.of(root));
      stripeKnown = true;
    } catch (IOException e) {
      // Writes will report the problem, if it matters; the default is right nearly everywhere.
      LOG.debug("the stripes of {} are not known: {}", root, e.toString());
    }
  }

  @Override
  public String description() {
    return "directory " + root;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  /** Writes nothing, so that checking often costs nothing. */
  @Override
  public void check() throws BackingException {
    answer(
        "using",
        BackingPath.ROOT,
        () -> {
          try (Tree.Directory top = tree.open(BackingPath.ROOT)) {
            top.requireWrite();
          }
          if (!Files.isWritable(root)) throw new AccessDeniedException("");
          askStripe();
          return true;
        });
  }

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    return answer(
        "beginning to write",
        plan.target(),
        () -> {
          askStripe();
          return attempts.begin(plan);
        });
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    answer(
        "writing",
        attempt.plan().target(),
        () -> {
          attempts.write(attempt, offset, source);
          return true;
        });
  }

  @Override
  public void force(Attempt attempt) throws BackingException {
    answer(
        "forcing",
        attempt.plan().target(),
        () -> {
          attempts.force(attempt);
          return true;
        });
  }

  @Override
  public void release(Attempt attempt) throws BackingException {
    answer(
        "closing the temporary file of",
        attempt.plan().target(),
        () -> {
          attempts.release(attempt);
          return true;
        });
  }

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) throws BackingException {
    return answer("storing", name, () -> attempts.commit(attempt, name));
  }

  @Override
  public Sighting look(Attempt attempt, BackingPath name) throws BackingException {
    return answer("looking for", name, () -> attempts.look(attempt, name));
  }

  @Override
  public void abort(Attempt attempt) throws BackingException {
    answer(
        "removing the temporary file of",
        attempt.plan().target(),
        () -> {
          attempts.abort(attempt);
          return true;
        });
  }

  @Override
  public int read(Attempt attempt, long offset, ByteBuffer target) throws BackingException {
    return answer(
        "reading back", attempt.plan().target(), () -> attempts.read(attempt, offset, target));
  }

  @Override
  public List<Leftover> leftovers(BackingPath directory) throws BackingException {
    return answer("listing", directory, () -> attempts.leftovers(directory));
  }

  @Override
  public void remove(Leftover leftover) throws BackingException {
    answer(
        "removing a temporary file in",
        leftover.place(),
        () -> {
          attempts.remove(leftover);
          return true;
        });
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    return answer("looking at", path, () -> node(path).file());
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    return answer(
        "reading",
        path,
        () -> {
          ByteBuffer rest = target.duplicate();
          try (Tree.Directory in = tree.open(parent(path))) {
            requireFile(path, in.node(path.name()));
            // With a version, the instance stored that file, or shows it with its owner and mode
            // and checks the reader's rights itself.
            if (version.isEmpty()) in.requireReadable(path.name());
            try (FileChannel channel = in.open(path.name(), READ)) {
              fill(channel, offset, rest);
            }
            // Check afterwards: the file of this name is the one that was opened, unless it changed
            // meanwhile.
            requireVersion(path, version, in.find(path.name()));
          }
          int bytes = rest.position() - target.position();
          target.position(rest.position());
          return bytes;
        });
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    return answer("listing", directory, () -> listing(directory));
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException {
    answer(
        "making directory",
        path,
        () -> {
          tree.openOrMake(path).close();
          if (path.isRoot()) return true;
          try (Tree.Directory in = tree.open(parent(path));
              Pinned made = in.hold(path.name())) {
            if (!in.mayChangeAttributes(path.name())) return true;
            List<String> lost = new AttributeSetter(made).set(attributes);
            if (!lost.isEmpty()) LOG.debug("{}: {}", tree.place(path), lost);
          }
          return true;
        });
  }

  @Override
  public void removeDirectory(BackingPath path) throws BackingException {
    answer(
        "removing directory",
        path,
        () -> {
          try (Tree.Directory in = tree.open(parent(path))) {
            in.requireReplaceable(path.name());
            in.handle().deleteDirectory(Path.of(path.name()));
            in.force();
          }
          return true;
        });
  }

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    answer(
        "deleting",
        path,
        () -> {
          try (Tree.Directory in = tree.open(parent(path))) {
            if (!version.isEmpty()) requireVersion(path, version, in.node(path.name()));
            in.requireReplaceable(path.name());
            in.handle().deleteFile(Path.of(path.name()));
            in.force();
          }
          return true;
        });
  }

  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    answer(
        "renaming",
        from,
        () -> {
          try (Tree.Directory out = tree.open(parent(from));
              Tree.Directory in = tree.openOrMake(parent(to))) {
            out.requireReplaceable(from.name());
            in.requireReplaceable(to.name());
            out.handle().move(Path.of(from.name()), in.handle(), Path.of(to.name()));
            in.force();
            if (!in.path.equals(out.path)) out.force();
          }
          return true;
        });
  }

  @Override
  public void makeSymlink(BackingPath path, String target) throws BackingException {
    answer(
        "making a symbolic link",
        path,
        () -> {
          try (Tree.Directory in = tree.openOrMake(parent(path))) {
            in.requireWrite();
            Files.createSymbolicLink(in.inside(path.name()), Path.of(target));
            in.force();
          }
          return true;
        });
  }

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    return answer(
        "reading symbolic link",
        path,
        () -> {
          try (Tree.Directory in = tree.open(parent(path))) {
            return Files.readSymbolicLink(in.inside(path.name())).toString();
          }
        });
  }

  @Override
  public void close() {
    try {
      attempts.close();
    } catch (IOException failure) {
      // Everything that had to be durable was forced before, so closing has nothing left to lose.
      LOG.warn("{}: closing failed", root, failure);
    }
  }

  private PosixListing listing(BackingPath path) throws IOException {
    Tree.Directory directory = tree.open(path);
    try {
      directory.require(Actor.READ);
      return new PosixListing(directory);
    } catch (IOException | RuntimeException refused) {
      directory.close();
      throw refused;
    }
  }

  private PosixNode node(BackingPath path) throws IOException {
    if (path.isRoot()) {
      tree.open(path).close();
      return PosixNode.read(root.toRealPath());
    }
    try (Tree.Directory in = tree.open(parent(path))) {
      return in.node(path.name());
    }
  }

  private static BackingPath parent(BackingPath path) throws IOException {
    if (path.isRoot()) throw new IOException("the root cannot be changed or read as a file");
    return path.parent();
  }

  private void requireFile(BackingPath path, PosixNode node) throws BackingException {
    if (node.isFile()) return;
    throw new BackingException(
        new BackingFailure.WrongKind("'%s' is not a file".formatted(tree.place(path))));
  }

  private void requireVersion(BackingPath path, String version, @Nullable PosixNode node)
      throws BackingException {
    if (version.isEmpty()) return;
    if (node != null && node.file().version().equals(version)) return;
    throw new BackingException(
        new BackingFailure.Changed(
            "'%s' has been changed by another program".formatted(tree.place(path))));
  }

  private static void fill(FileChannel channel, long offset, ByteBuffer target) throws IOException {
    long next = offset;
    while (target.hasRemaining()) {
      int bytes = channel.read(target, next);
      if (bytes < 0) return;
      next += bytes;
    }
  }

  private <T> T answer(String verb, BackingPath path, Work<T> work) throws BackingException {
    String doing = "%s '%s'".formatted(verb, tree.place(path));
    try {
      return work.run();
    } catch (Tree.RootMissing missing) {
      throw new BackingException(
          new BackingFailure.NoRoot(
              "the backing directory '%s' cannot be used: %s"
                  .formatted(root, missing.getMessage())),
          missing);
    } catch (IOException failure) {
      throw PosixFailures.of(failure, doing);
    } catch (InvalidPathException unwritable) {
      throw new BackingException(
          new BackingFailure.Unsupported(
              doing + " failed: start Forebay in a UTF-8 locale, such as LANG=C.UTF-8"),
          unwritable);
    }
  }
}
