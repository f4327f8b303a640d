// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.store.disk.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read-only directory; it may be on a device that is mounted read-only. Only blocking operations
 * work; an asynchronous request is broken code. Keeps the last file open. Called by one thread.
 */
final class ReadOnlyDisk implements Disk {
  private final Path directory;
  private String openName = "";
  private @Nullable FileChannel open;

  ReadOnlyDisk(Path directory) {
    this.directory = directory;
  }

  @Override
  public List<FileEntry> list() throws IOException {
    List<FileEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) continue;
        entries.add(new FileEntry(file.getFileName().toString(), Files.size(file)));
      }
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    entries.sort(Comparator.comparing(FileEntry::name));
    return entries;
  }

  @Override
  public void readNow(String name, long position, ByteBuffer target) throws IOException {
    FileChannel channel = channel(name);
    long next = position;
    while (target.hasRemaining()) {
      int bytes = channel.read(target, next);
      if (bytes < 0) throw new EOFException(name + " ends at or before " + next);
      next += bytes;
    }
  }

  @Override
  public void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException {
    channel(name);
    ByteBuffer chunk = ByteBuffer.allocateDirect(chunkBytes);
    for (long position = from; position < to; position += chunkBytes) {
      int bytes = (int) Math.min(chunkBytes, to - position);
      visitor.chunk(position, bytes, readable(name, position, chunk.clear().limit(bytes)));
    }
  }

  /** The chunk, or null where the device does not give it. */
  private @Nullable ByteBuffer readable(String name, long position, ByteBuffer chunk) {
    try {
      readNow(name, position, chunk);
      return chunk.flip();
    } catch (IOException unreadable) {
      return null;
    }
  }

  private FileChannel channel(String name) throws IOException {
    FileChannel kept = open;
    if (kept != null && openName.equals(name)) return kept;
    close();
    FileChannel channel =
        FileChannel.open(
            directory.resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    open = channel;
    openName = name;
    return channel;
  }

  @Override
  public void close() {
    FileChannel kept = open;
    open = null;
    if (kept == null) return;
    try {
      kept.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public int poll() {
    return 0;
  }

  @Override
  public int pending() {
    return 0;
  }

  @Override
  public void await(long timeoutNanos) {}

  @Override
  public void create(String name, long bytes, Completion completion) {
    throw readOnly();
  }

  @Override
  public void write(String name, long position, ByteBuffer source, Completion completion) {
    throw readOnly();
  }

  @Override
  public void read(String name, long position, ByteBuffer target, Completion completion) {
    throw readOnly();
  }

  @Override
  public void force(String name, Completion completion) {
    throw readOnly();
  }

  @Override
  public void delete(String name, Completion completion) {
    throw readOnly();
  }

  @Override
  public void map(String name, Completion completion) {
    throw readOnly();
  }

  @Override
  public ByteBuffer mapped(String name) {
    throw readOnly();
  }

  private IllegalStateException readOnly() {
    return new IllegalStateException(directory + " is only read");
  }
}
