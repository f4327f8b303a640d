// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files.copy;

import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file or directory of this machine. */
public record LocalEnd(Path path) implements CopyEnd {
  private static final LinkOption[] FOLLOW = {};
  private static final LinkOption[] NO_FOLLOW = {LinkOption.NOFOLLOW_LINKS};

  @Override
  public @Nullable Found find(boolean follow) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, follow ? FOLLOW : NO_FOLLOW);
      FileStat.Kind kind = FileStat.Kind.FILE;
      if (attributes.isDirectory()) kind = FileStat.Kind.DIRECTORY;
      if (attributes.isSymbolicLink()) kind = FileStat.Kind.SYMLINK;
      // An explicitly named one may be a pipe to read from, such as a shell makes of <(command).
      if (attributes.isOther() && !follow) kind = FileStat.Kind.FIFO;
      return new Found(kind, attributes.size());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public String name() {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? "" : name.toString();
  }

  @Override
  public CopyEnd below(String name) {
    return new LocalEnd(path.resolve(name));
  }

  @Override
  public Iterator<String> list() throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList().iterator();
    }
  }

  @Override
  public InputStream read() throws IOException {
    // A read of a pipe or terminal can be interrupted; one of the stream that Files gives cannot.
    return Channels.newInputStream(FileChannel.open(path, StandardOpenOption.READ));
  }

  @Override
  public OutputStream write() throws IOException {
    return Files.newOutputStream(path);
  }

  @Override
  public void makeDirectory() throws IOException {
    Files.createDirectory(path);
  }

  @Override
  public String readLink() throws IOException {
    return Files.readSymbolicLink(path).toString();
  }

  @Override
  public void makeLink(String to) throws IOException {
    Files.createSymbolicLink(path, Path.of(to));
  }

  @Override
  public void remove() throws IOException {
    Files.delete(path);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
