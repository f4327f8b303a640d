// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Sighting;
import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Pinned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The temporary files of a directory store. Any thread. */
final class PosixAttempts {
  // Never with a right to create: a writer that comes late must not bring an aborted attempt back.
  private static final Set<OpenOption> WRITE = Set.of(StandardOpenOption.WRITE);
  private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);
  private static final Set<OpenOption> MAKE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);

  /** No other user reads an incomplete file. */
  private static final String TEMPORARY_PERMISSIONS = "rw-------";

  /** The mode of files whose mode is unknown. */
  private static final int MODE_DEFAULT = 0644;

  private final Tree tree;
  private final OpenAttempts open = new OpenAttempts();

  PosixAttempts(Tree tree) {
    this.tree = tree;
  }

  Attempt begin(AttemptPlan plan) throws IOException {
    String name = temporary(plan.id().text());
    try (Tree.Directory in = tree.openOrMake(plan.target().parent())) {
      in.requireWrite();
      try (FileChannel channel =
          (FileChannel)
              in.handle()
                  .newByteChannel(
                      Path.of(name),
                      MAKE,
                      PosixFilePermissions.asFileAttribute(
                          PosixFilePermissions.fromString(TEMPORARY_PERMISSIONS)))) {
        // The last byte, so that unwritten ranges are zeros up to the end.
        if (plan.sizeBytes() > 0) channel.write(ByteBuffer.allocate(1), plan.sizeBytes() - 1);
      }
      return new Attempt(plan, in.node(name).identity());
    }
  }

  void write(Attempt attempt, long offset, List<ByteBuffer> source)
      throws IOException, BackingException {
    ByteBuffer[] views = new ByteBuffer[source.size()];
    long bytes = 0;
    for (int i = 0; i < views.length; i++) {
      views[i] = source.get(i).duplicate();
      bytes += views[i].remaining();
    }
    if (offset < 0 || bytes > attempt.plan().sizeBytes() - offset) {
      throw new IllegalArgumentException(
          "%d bytes at %d are outside of %s".formatted(bytes, offset, attempt));
    }
    FileChannel channel = open.borrow(attempt.id(), () -> reopen(attempt));
    try {
      // With the channel's position instead of one write per buffer: one call takes many small
      // pieces.
      channel.position(offset);
      for (long left = bytes; left > 0; ) left -= channel.write(views);
      open.written(attempt.id(), channel, bytes);
    } finally {
      open.giveBack(attempt.id(), channel);
    }
    for (ByteBuffer buffer : source) buffer.position(buffer.limit());
  }

  void force(Attempt attempt) throws IOException {
    open.force(attempt.id(), () -> reopen(attempt));
  }

  void release(Attempt attempt) throws IOException {
    if (!open.isOpen(attempt.id())) return;
    if (isThere(attempt)) open.release(attempt.id(), () -> reopen(attempt));
    else open.forget(attempt.id());
  }

  private boolean isThere(Attempt attempt) throws IOException {
    try (Tree.Directory in = tree.open(attempt.plan().target().parent())) {
      return own(attempt, in.find(temporary(attempt.id().text()))) != null;
    } catch (NoSuchFileException noDirectory) {
      return false;
    }
  }

  /** Through a channel of its own: the writing channels are not open for reading. */
  int read(Attempt attempt, long offset, ByteBuffer target) throws IOException {
    String name = temporary(attempt.id().text());
    try (Tree.Directory in = tree.open(attempt.plan().target().parent());
        FileChannel channel = in.open(name, READ)) {
      if (own(attempt, in.find(name)) == null) throw new NoSuchFileException(name);
      int done = 0;
      while (target.hasRemaining()) {
        int read = channel.read(target, offset + done);
        if (read < 0) break;
        done += read;
      }
      return done;
    }
  }

  List<String> commit(Attempt attempt, BackingPath name) throws IOException, BackingException {
    String temporary = temporary(attempt.id().text());
    try (Tree.Directory from = tree.open(attempt.plan().target().parent())) {
      PosixNode node = own(attempt, from.find(temporary));
      if (node == null) {
        if (look(attempt, name) == Sighting.COMMITTED) return List.of();
        throw changed(name, "its temporary file is gone");
      }
      if (node.file().sizeBytes() != attempt.plan().sizeBytes()) {
        throw changed(name, "its temporary file has " + node.file().sizeBytes() + " bytes");
      }
      List<String> notKept = setAttributes(attempt, from, temporary);
      force(attempt);
      try (Tree.Directory to = tree.openOrMake(name.parent())) {
        to.requireReplaceable(name.name());
        from.handle().move(Path.of(temporary), to.handle(), Path.of(name.name()));
        to.force();
        if (!to.path.equals(from.path)) from.force();
      }
      return notKept;
    }
  }

  private List<String> setAttributes(Attempt attempt, Tree.Directory in, String temporary)
      throws IOException, BackingException {
    try (Pinned held = in.hold(temporary)) {
      if (own(attempt, PosixNode.ofHeld(held.self())) == null) {
        throw changed(attempt.plan().target(), "its temporary file is another one");
      }
      return new AttributeSetter(held).set(withMode(attempt.plan().attributes()));
    }
  }

  Sighting look(Attempt attempt, BackingPath name) throws IOException {
    if (attempt.isTold() && isCommitted(attempt, name)) return Sighting.COMMITTED;
    return isThere(attempt) ? Sighting.PENDING : Sighting.GONE;
  }

  void abort(Attempt attempt) throws IOException {
    open.forget(attempt.id());
    removeTemporary(attempt.plan().target().parent(), attempt.id().text());
  }

  List<Leftover> leftovers(BackingPath directory) throws IOException {
    List<Leftover> found = new ArrayList<>();
    try (Tree.Directory in = tree.open(directory)) {
      in.require(Actor.READ);
      for (Path entry : in.handle()) {
        String name = String.valueOf(entry.getFileName());
        if (!name.startsWith(BackingPath.RESERVED_PREFIX)) continue;
        PosixNode node = in.find(name);
        if (node == null || !node.isFile()) continue;
        String id = name.substring(BackingPath.RESERVED_PREFIX.length());
        found.add(
            new Leftover(directory, id, node.identity(), node.file().attributes().modifyNanos()));
        if (found.size() == BackingStore.LEFTOVERS_MAX) break;
      }
    } catch (DirectoryIteratorException broken) {
      throw Objects.requireNonNull(broken.getCause());
    }
    return found;
  }

  void remove(Leftover leftover) throws IOException {
    removeTemporary(leftover.place(), leftover.id());
  }

  void close() throws IOException {
    open.close();
  }

  private void removeTemporary(BackingPath directory, String id) throws IOException {
    try (Tree.Directory in = tree.open(directory)) {
      in.handle().deleteFile(Path.of(temporary(id)));
      // Else a power cut of the store could bring it back.
      in.force();
    } catch (NoSuchFileException gone) {
      // Then it is removed, or was never made.
      return;
    }
  }

  private FileChannel reopen(Attempt attempt) throws IOException {
    String name = temporary(attempt.id().text());
    try (Tree.Directory in = tree.open(attempt.plan().target().parent())) {
      FileChannel channel = in.open(name, WRITE);
      if (own(attempt, in.find(name)) != null) return channel;
      channel.close();
      throw new NoSuchFileException(name);
    }
  }

  private boolean isCommitted(Attempt attempt, BackingPath name) throws IOException {
    try (Tree.Directory in = tree.open(name.parent())) {
      PosixNode node = in.find(name.name());
      if (node == null || !node.isFile()) return false;
      // Opened first: a network file system may report old attributes until then.
      in.open(name.name(), READ).close();
      PosixNode fresh = in.find(name.name());
      return fresh != null
          && fresh.identity().equals(attempt.handle())
          && fresh.file().sizeBytes() == attempt.plan().sizeBytes();
    } catch (NoSuchFileException missing) {
      return false;
    }
  }

  /** The node if it is this attempt's file, else null. */
  private static @Nullable PosixNode own(Attempt attempt, @Nullable PosixNode node) {
    if (node == null || !node.isFile()) return null;
    return !attempt.isTold() || node.identity().equals(attempt.handle()) ? node : null;
  }

  private static FileAttributes withMode(FileAttributes attributes) {
    if (attributes.mode() != FileAttributes.UNKNOWN) return attributes;
    return new FileAttributes(
        MODE_DEFAULT, attributes.user(), attributes.group(), attributes.modifyNanos());
  }

  private BackingException changed(BackingPath name, String words) {
    return new BackingException(
        new BackingFailure.Changed(
            "'%s' was not stored: %s; it is written again".formatted(tree.place(name), words)));
  }

  private static String temporary(String id) {
    return BackingPath.RESERVED_PREFIX + id;
  }
}
