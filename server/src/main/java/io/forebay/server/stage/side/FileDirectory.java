// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Ownership;
import io.forebay.backing.held.Pinned;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of the file system, held by a descriptor. Each method that names or opens something
 * does so as the owner of the instance; bytes go through what was opened so.
 */
public final class FileDirectory implements StageDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(FileDirectory.class);

  /** Only the owner sees a file before it is complete. */
  private static final FileAttribute<?> DRAFT_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The rights needed to copy into a directory. */
  private static final int OWNER_ALL = 0700;

  private final Pinned directory;
  private final Actor actor;
  private final FilePace pace;
  private final boolean made;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Whether names were changed that may not be on the disk yet. */
  private final AtomicBoolean changed = new AtomicBoolean();

  private FileDirectory(Pinned directory, Actor actor, FilePace pace, boolean made) {
    this.directory = directory;
    this.actor = actor;
    this.pace = pace;
    this.made = made;
  }

  /** The place of a directory; closes it if the actor may not look into it. */
  static FileDirectory of(Pinned directory, Actor actor, FilePace pace) throws IOException {
    return of(directory, actor, pace, false);
  }

  private static FileDirectory of(Pinned directory, Actor actor, FilePace pace, boolean made)
      throws IOException {
    try {
      FileNode node = actor.as(() -> node(directory));
      actor.require(node.ownership(), Actor.SEARCH, directory.path().toString());
      return new FileDirectory(directory, actor, pace, made);
    } catch (IOException e) {
      directory.close();
      throw e;
    }
  }

  private static FileNode node(Pinned held) throws IOException {
    try {
      return FileNode.of(held.self());
    } catch (FileSystemException e) {
      throw named(e, held.path());
    }
  }

  @Override
  public String path() {
    return directory.path().toString();
  }

  @Override
  public boolean isNew() {
    return made;
  }

  @Override
  public FileDirectory hold() {
    holders.incrementAndGet();
    return this;
  }

  @Override
  public void close() {
    if (holders.decrementAndGet() > 0) return;
    if (changed.get()) force();
    directory.close();
  }

  /** Names are on the disk only once their directory is. */
  private void force() {
    try (FileChannel channel = openToForce()) {
      channel.force(true);
    } catch (IOException e) {
      // Some file systems cannot force directories; a power cut may then lose names, but never
      // parts of files.
      LOG.warn("directory {} could not be forced: {}", directory.path(), e.getMessage());
    }
  }

  /** The owner may create files in a directory that the owner must not read. */
  private FileChannel openToForce() throws IOException {
    try {
      return actor.as(() -> FileChannel.open(directory.self(), StandardOpenOption.READ));
    } catch (AccessDeniedException e) {
      return FileChannel.open(directory.self(), StandardOpenOption.READ);
    }
  }

  @Override
  public @Nullable Item look(String name) throws IOException {
    try {
      return actor
          .as(() -> FileNode.of(directory.inside(name), LinkOption.NOFOLLOW_LINKS))
          .item(name);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) {
      throw named(e, name);
    }
  }

  @Override
  @SuppressWarnings("StreamResourceLeak") // Closed with the listing.
  public Listing list() throws IOException {
    DirectoryStream<Path> names;
    try {
      names =
          actor.as(
              () -> {
                actor.require(node(directory).ownership(), Actor.READ, path());
                return Files.newDirectoryStream(directory.self());
              });
    } catch (FileSystemException e) {
      throw named(e, directory.path());
    }
    return new Names(names);
  }

  /** Entries are examined one by one on request; entries that have vanished since are skipped. */
  private final class Names implements Listing {
    private final DirectoryStream<Path> stream;
    private final Iterator<Path> names;
    private @Nullable Item next;

    Names(DirectoryStream<Path> stream) {
      this.stream = stream;
      this.names = stream.iterator();
    }

    @Override
    public boolean hasNext() {
      while (next == null && names.hasNext()) {
        String name = String.valueOf(names.next().getFileName());
        try {
          next = look(name);
        } catch (IOException e) {
          throw new DirectoryIteratorException(e);
        }
      }
      return next != null;
    }

    @Override
    public Item next() {
      Item item = hasNext() ? next : null;
      if (item == null) throw new NoSuchElementException();
      next = null;
      return item;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  @Override
  public FileDirectory enter(String name) throws IOException {
    return of(actor.as(() -> directory.directory(name)), actor, pace);
  }

  @Override
  public FileDirectory make(String name, int mode) throws IOException {
    try {
      return enter(name);
    } catch (NoSuchFileException missing) {
      requireWrite();
    }
    try {
      actor.as(() -> Files.createDirectory(directory.inside(name), attribute(mode | OWNER_ALL)));
      changed.set(true);
    } catch (FileAlreadyExistsException another) {
      // Another process created it at the same time, which is fine.
      return enter(name);
    } catch (FileSystemException e) {
      throw named(e, name);
    }
    return of(actor.as(() -> directory.directory(name)), actor, pace, true);
  }

  @Override
  public InputStream read(String name, long offset) throws IOException {
    try {
      FileChannel channel = actor.as(() -> open(name));
      return new PacedStream(Channels.newInputStream(channel.position(offset)));
    } catch (FileSystemException e) {
      throw named(e, name);
    }
  }

  private FileChannel open(String name) throws IOException {
    try (Pinned file = directory.any(name)) {
      FileNode node = node(file);
      // A pipe or a device put in its place must not be opened at all.
      if (node.kind() != Item.Kind.FILE) throw new NoSuchFileException(file.path().toString());
      actor.require(node.ownership(), Actor.READ, file.path().toString());
      return FileChannel.open(file.self(), StandardOpenOption.READ);
    }
  }

  private final class PacedStream extends FilterInputStream {
    PacedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      pace.moved(count);
      return count;
    }
  }

  @Override
  public String readLink(String name) throws IOException {
    try {
      return actor.as(() -> Files.readSymbolicLink(directory.inside(name))).toString();
    } catch (FileSystemException e) {
      throw named(e, name);
    }
  }

  @Override
  public Draft draft(String draftName) throws IOException {
    requireWrite();
    try {
      return new FileDraft(draftName);
    } catch (FileSystemException e) {
      throw named(e, draftName);
    }
  }

  private final class FileDraft implements Draft {
    private final Path draft;
    private final String draftName;
    private final FileChannel channel;
    private boolean finished;

    FileDraft(String draftName) throws IOException {
      this.draftName = draftName;
      this.draft = directory.inside(draftName);
      this.channel =
          actor.as(
              () ->
                  FileChannel.open(
                      draft,
                      Set.of(
                          StandardOpenOption.CREATE_NEW,
                          StandardOpenOption.WRITE,
                          LinkOption.NOFOLLOW_LINKS),
                      DRAFT_MODE));
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
      ByteBuffer from = ByteBuffer.wrap(bytes, 0, length);
      while (from.hasRemaining()) channel.write(from);
      pace.moved(length);
    }

    @Override
    public void finish(Item like) throws IOException {
      try {
        actor.as(() -> setAttributes(like));
        channel.force(true);
        actor.as(() -> move(draft, like.name()));
        changed.set(true);
        finished = true;
      } catch (FileSystemException e) {
        throw named(e, like.name());
      }
    }

    private boolean setAttributes(Item like) throws IOException {
      requireReplaceable(like.name());
      PosixFileAttributeView view =
          Files.getFileAttributeView(
              draft, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      view.setPermissions(permissions(like.mode()));
      view.setTimes(FileTime.from(like.modified()), null, null);
      return true;
    }

    @Override
    public void close() throws IOException {
      channel.close();
      if (!finished) remove(draftName);
    }
  }

  @Override
  public Section section(String draftName) throws IOException {
    requireWrite();
    FileChannel channel;
    try {
      channel =
          actor.as(
              () ->
                  FileChannel.open(
                      directory.inside(draftName),
                      Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
    } catch (FileSystemException e) {
      throw named(e, draftName);
    }
    return new Section() {
      @Override
      public void write(byte[] bytes, int length, long offset) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes, 0, length);
        while (from.hasRemaining()) channel.write(from, offset + from.position());
        pace.moved(length);
      }

      @Override
      public void keep() throws IOException {
        channel.force(true);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public void put(String draftName, Item like, byte[] bytes, int length) throws IOException {
    if (look(like.name()) != null) throw new FileAlreadyExistsException(pathOf(like.name()));
    try (Draft draft = draft(draftName)) {
      draft.write(bytes, length);
      draft.finish(like);
    }
  }

  @Override
  public void link(String draftName, String name, String target) throws IOException {
    requireWrite();
    try {
      actor.as(
          () -> {
            requireReplaceable(name);
            Path draft = Files.createSymbolicLink(directory.inside(draftName), Path.of(target));
            return move(draft, name);
          });
      changed.set(true);
    } catch (FileSystemException e) {
      throw named(e, name);
    }
  }

  private Path move(Path draft, String name) throws IOException {
    return Files.move(draft, directory.inside(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void remove(String name) throws IOException {
    try {
      actor.as(() -> Files.deleteIfExists(directory.inside(name)));
    } catch (FileSystemException e) {
      throw named(e, name);
    }
  }

  private void requireWrite() throws IOException {
    FileNode node = actor.as(() -> node(directory));
    actor.require(node.ownership(), Actor.WRITE | Actor.SEARCH, path());
  }

  /** Fails unless the actor may give this name to something else. */
  private void requireReplaceable(String name) throws IOException {
    Ownership parent = node(directory).ownership();
    try {
      Ownership there = Ownership.of(directory.inside(name), LinkOption.NOFOLLOW_LINKS);
      actor.requireReplacement(parent, there, pathOf(name));
    } catch (NoSuchFileException free) {
      return;
    }
  }

  private static FileAttribute<?> attribute(int mode) {
    return PosixFilePermissions.asFileAttribute(permissions(mode));
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    // Owner, group, others; read, write, execute: in the order of the bits, highest first.
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int bit = 0; bit < all.length; bit++) {
      if ((mode & (0400 >> bit)) != 0) set.add(all[bit]);
    }
    return set;
  }

  private FileSystemException named(FileSystemException e, String name) {
    return named(e, directory.path().resolve(name));
  }

  /** The same failure with the name that people know. */
  private static FileSystemException named(FileSystemException e, Path path) {
    String file = path.toString();
    FileSystemException same =
        switch (e) {
          case NoSuchFileException missing -> new NoSuchFileException(file);
          case AccessDeniedException denied ->
              new AccessDeniedException(file, null, denied.getReason());
          case FileAlreadyExistsException there -> new FileAlreadyExistsException(file);
          case NotDirectoryException other -> new NotDirectoryException(file);
          default -> new FileSystemException(file, null, e.getReason());
        };
    same.initCause(e);
    return same;
  }
}
