// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.store.disk.Disk.FileEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a {@link FileDisk}, each opened on first use and kept open: a disk has as many files
 * as segments fit on a device, some thousands at most. All operations block; any thread.
 */
final class FileDirectory {
  private final Path path;
  private final FileChannel entries;
  // Mappings of deleted files that were being read: they go with the disk.
  private final List<OpenFile> readWhenDeleted = new ArrayList<>();
  // Guarded by itself, as is the opening of a file, so that no file is opened twice.
  private final Map<String, OpenFile> open = new HashMap<>();

  FileDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path)) throw new NotDirectoryException(path.toString());
    this.path = path;
    this.entries = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Creates the file and makes its name durable; its bytes still have to be forced. */
  void create(String name, long bytes) throws IOException {
    Path file = path.resolve(name);
    FileChannel channel =
        OwnerOnly.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      Allocation.writeZeros(channel, bytes);
      entries.force(true);
      replace(name, new OpenFile(name, channel, true));
    } catch (IOException failure) {
      undoCreate(file, channel, failure);
      throw failure;
    }
  }

  OpenFile file(String name) throws IOException {
    synchronized (open) {
      OpenFile known = open.get(name);
      if (known != null) return known;
      FileChannel channel =
          FileChannel.open(
              path.resolve(name),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      OpenFile file = new OpenFile(name, channel, false);
      open.put(name, file);
      return file;
    }
  }

  /** Removes the file, durably: one that was deleted must not be back after a power cut. */
  void delete(String name) throws IOException {
    // The name goes first: a request that came in between would else open the file again and keep
    // it, nameless.
    Files.delete(path.resolve(name));
    OpenFile file;
    synchronized (open) {
      file = open.remove(name);
    }
    if (file != null) {
      file.close();
      // Frees its memory now: the kernel keeps a deleted file as long as it is mapped.
      if (!file.unmap()) {
        synchronized (open) {
          readWhenDeleted.add(file);
        }
      }
    }
    entries.force(true);
  }

  void map(String name) throws IOException {
    file(name).map();
  }

  @Nullable ByteBuffer mapped(String name) {
    OpenFile file;
    synchronized (open) {
      file = open.get(name);
    }
    return file == null ? null : file.mapped();
  }

  /**
   * Reads through a channel of its own, since it runs on the owner's thread: an interrupt would
   * close a shared channel.
   */
  void readAlone(String name, long position, ByteBuffer target) throws IOException {
    ByteBuffer rest = target.duplicate();
    try (FileChannel channel = FileChannel.open(path.resolve(name), StandardOpenOption.READ)) {
      Requests.requireInside(name, position, rest.remaining(), channel.size());
      Allocation.readFully(channel, position, rest);
    }
    target.position(target.limit());
  }

  List<FileEntry> list() throws IOException {
    List<FileEntry> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
      for (Path file : stream) addIfRegular(file, files);
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    files.sort(Comparator.comparing(FileEntry::name));
    return files;
  }

  /** Closes and unmaps; a view that is used afterwards throws. */
  void close() throws IOException {
    List<OpenFile> files;
    synchronized (open) {
      files = List.copyOf(open.values());
      open.clear();
    }
    for (OpenFile file : files) file.close();
    entries.close();
    boolean unmapped = true;
    for (OpenFile file : files) unmapped &= file.unmap();
    for (OpenFile file : readWhenDeleted) unmapped &= file.unmap();
    if (!unmapped) throw new IOException(path + " stays mapped, since it is being read");
  }

  private static void addIfRegular(Path file, List<FileEntry> files) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException deleted) {
      return; // while the directory was being read, so it is rightly not listed
    }
    if (attributes.isRegularFile()) {
      files.add(new FileEntry(file.getFileName().toString(), attributes.size()));
    }
  }

  private void replace(String name, OpenFile file) throws IOException {
    OpenFile early;
    synchronized (open) {
      early = open.put(name, file);
    }
    // A request that did not wait for the create opened the file when it was still too short.
    if (early != null) early.close();
  }

  private static void undoCreate(Path file, FileChannel channel, IOException failure) {
    try {
      channel.close();
      Files.delete(file);
    } catch (IOException stuck) {
      failure.addSuppressed(stuck);
    }
  }
}
