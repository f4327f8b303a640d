// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import io.forebay.backing.held.Pinned;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the instance. Paths there cannot lead anywhere else, so the path alone identifies
 * it.
 */
public final class BufferDirectory implements StageDirectory {
  private static final int PERMISSION_BITS = 0777;
  private static final int OWNER_ALL = 0700;
  private static final int DRAFT_MODE = 0600;

  private final Forebay client;

  /** Without a slash at its end; empty for the root. */
  private final String directory;

  private final boolean made;

  BufferDirectory(Forebay client, String directory, boolean made) {
    this.client = client;
    this.directory = directory;
    this.made = made;
  }

  BufferDirectory(Forebay client, String directory) {
    this(client, directory, false);
  }

  @Override
  public boolean isNew() {
    return made;
  }

  @Override
  public String path() {
    return directory.isEmpty() ? "/" : directory;
  }

  @Override
  public BufferDirectory hold() {
    return this;
  }

  @Override
  public void close() {
    // Nothing is held.
  }

  private String below(String name) throws IOException {
    return directory + "/" + Pinned.requireSingle(name);
  }

  static Item item(String name, FileStat stat) {
    Item.Kind kind =
        switch (stat.kind()) {
          case FILE -> Item.Kind.FILE;
          case DIRECTORY -> Item.Kind.DIRECTORY;
          case SYMLINK -> Item.Kind.SYMLINK;
          case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> Item.Kind.OTHER;
        };
    return new Item(
        name,
        kind,
        stat.sizeBytes(),
        stat.modifyTime(),
        stat.mode() & PERMISSION_BITS,
        stat.links());
  }

  @Override
  public @Nullable Item look(String name) throws IOException {
    try {
      return item(name, client.stat(below(name), false));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public Listing list() throws IOException {
    Iterator<DirectoryEntry> entries = client.list(path());
    return new Listing() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Item next() {
        DirectoryEntry entry = entries.next();
        return item(entry.name(), entry.stat());
      }

      @Override
      public void close() {
        // Fetched page by page; nothing is held.
      }
    };
  }

  @Override
  public BufferDirectory enter(String name) throws IOException {
    String path = below(name);
    if (!client.stat(path, false).isDirectory()) throw new NotDirectoryException(path);
    return new BufferDirectory(client, path);
  }

  @Override
  public BufferDirectory make(String name, int mode) throws IOException {
    String path = below(name);
    try {
      client.mkdir(path, mode | OWNER_ALL);
      return new BufferDirectory(client, path, true);
    } catch (FileAlreadyExistsException e) {
      return enter(name);
    }
  }

  @Override
  public InputStream read(String name, long offset) throws IOException {
    return client.open(below(name), StandardOpenOption.READ).inputStream(offset);
  }

  @Override
  public String readLink(String name) throws IOException {
    return client.readlink(below(name));
  }

  @Override
  public Draft draft(String draftName) throws IOException {
    String path = below(draftName);
    ForebayFile file =
        client.open(
            path, List.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), DRAFT_MODE);
    return new BufferDraft(path, file);
  }

  private final class BufferDraft implements Draft {
    private final String draft;
    private final ForebayFile file;
    private long writtenBytes;
    private boolean finished;

    BufferDraft(String draft, ForebayFile file) {
      this.draft = draft;
      this.file = file;
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
      file.write(ByteBuffer.wrap(bytes, 0, length), writtenBytes);
      writtenBytes += length;
    }

    /** Closed under its final name: a drain on close must use that name. */
    @Override
    public void finish(Item like) throws IOException {
      file.set(new AttributeChange().mode(like.mode()).times(null, like.modified()));
      client.rename(draft, below(like.name()));
      finished = true;
      file.close();
    }

    @Override
    public void close() throws IOException {
      if (finished) return;
      try {
        discard(draft);
      } finally {
        file.close();
      }
    }
  }

  @Override
  public Section section(String draftName) throws IOException {
    ForebayFile file = client.open(below(draftName), StandardOpenOption.WRITE);
    return new Section() {
      @Override
      public void write(byte[] bytes, int length, long offset) throws IOException {
        file.write(ByteBuffer.wrap(bytes, 0, length), offset);
      }

      @Override
      public void keep() throws IOException {
        file.sync();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  @Override
  public void put(String draftName, Item like, byte[] bytes, int length) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(bytes, 0, length);
    client.put(below(like.name()), content, like.mode(), like.modified());
  }

  @Override
  public CompletableFuture<Void> putAsync(String draftName, Item like, byte[] bytes, int length) {
    ByteBuffer content = ByteBuffer.wrap(bytes, 0, length);
    try {
      return client.putAsync(below(like.name()), content, like.mode(), like.modified());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void link(String draftName, String name, String target) throws IOException {
    client.symlink(target, below(draftName));
    client.rename(below(draftName), below(name));
  }

  @Override
  public void remove(String name) throws IOException {
    try {
      Item there = look(name);
      if (there != null && there.kind() == Item.Kind.FILE) discard(below(name));
      else client.unlink(below(name));
    } catch (NoSuchFileException e) {
      // It is already as requested.
    }
  }

  /**
   * Removes a draft, and first its bytes: a server that died may have it open, and until the
   * session of that server expires the bytes would take room that the instance needs.
   */
  private void discard(String draft) throws IOException {
    try {
      client.truncate(draft, 0);
    } finally {
      client.unlink(draft);
    }
  }
}
