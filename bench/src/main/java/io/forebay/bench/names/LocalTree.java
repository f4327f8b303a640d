// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.names;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** The names of a directory of this machine, with anything mounted there. */
public final class LocalTree implements NameTree {
  private final Path root;

  public LocalTree(Path root) {
    this.root = root;
  }

  private Path at(String path) {
    return root.resolve(path.substring(1));
  }

  @Override
  public void makeDirectory(String path) throws IOException {
    Files.createDirectory(at(path));
  }

  @Override
  public void removeDirectory(String path) throws IOException {
    Files.delete(at(path));
  }

  @Override
  public void create(String path) throws IOException {
    Files.createFile(at(path));
  }

  @Override
  public void create(String path, ByteBuffer bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(at(path), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      while (bytes.hasRemaining()) file.write(bytes);
    }
  }

  @Override
  public void read(String path, ByteBuffer target) throws IOException {
    try (FileChannel file = FileChannel.open(at(path), StandardOpenOption.READ)) {
      while (target.hasRemaining()) {
        if (file.read(target) < 0) throw new EOFException(path + " ends too early");
      }
    }
  }

  @Override
  public void stat(String path) throws IOException {
    Files.readAttributes(at(path), BasicFileAttributes.class);
  }

  @Override
  public void touch(String path, Instant time) throws IOException {
    Files.setLastModifiedTime(at(path), FileTime.from(time));
  }

  @Override
  public void unlink(String path) throws IOException {
    Files.delete(at(path));
  }

  @Override
  public void close() {
    // A path holds nothing open.
  }
}
