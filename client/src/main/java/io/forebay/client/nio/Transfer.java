// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One copy or move, within an instance or from one to another. */
final class Transfer {
  private final Path source;
  private final Path target;
  private final Forebay from;
  private final Forebay to;
  private final String fromPath;
  private final String toPath;
  private boolean replace;
  private boolean attributes;
  private boolean atomic;
  private boolean follow = true;

  Transfer(Path source, Path target, CopyOption... options) {
    this.source = source;
    this.target = target;
    this.from = ForebayFileSystemProvider.client(source);
    this.to = ForebayFileSystemProvider.client(target);
    this.fromPath = ForebayFileSystemProvider.text(source);
    this.toPath = ForebayFileSystemProvider.text(target);
    for (CopyOption option : options) {
      if (option == StandardCopyOption.REPLACE_EXISTING) replace = true;
      else if (option == StandardCopyOption.COPY_ATTRIBUTES) attributes = true;
      else if (option == StandardCopyOption.ATOMIC_MOVE) atomic = true;
      else if (option == LinkOption.NOFOLLOW_LINKS) follow = false;
      else throw new UnsupportedOperationException("option " + option);
    }
  }

  /** Copies a file's content, a link, or a directory without its entries. */
  void copy() throws IOException {
    if (atomic) throw new UnsupportedOperationException("a copy with ATOMIC_MOVE");
    FileStat stat = from.stat(fromPath, follow);
    if (isItself(stat)) return;
    makePlace();
    copy(stat);
  }

  void move() throws IOException {
    if (attributes) throw new UnsupportedOperationException("a move with COPY_ATTRIBUTES");
    FileStat stat = from.stat(fromPath, false);
    if (isItself(stat)) return;
    if (!from.equals(to)) {
      moveAcross(stat);
      return;
    }
    if (replace && !atomic) {
      // A rename replaces files by files; other nodes must be removed first.
      FileStat old = statOrNull();
      if (old != null && (old.isDirectory() || stat.isDirectory())) remove(old);
    }
    from.rename(fromPath, toPath, !replace && !atomic, false);
  }

  private void moveAcross(FileStat stat) throws IOException {
    if (atomic) {
      throw new AtomicMoveNotSupportedException(
          source.toString(), target.toString(), "they are in different instances");
    }
    if (stat.isDirectory() && from.list(fromPath).hasNext()) {
      throw new DirectoryNotEmptyException(source.toString());
    }
    makePlace();
    attributes = true;
    copy(stat);
    if (stat.isDirectory()) from.rmdir(fromPath);
    else from.unlink(fromPath);
  }

  private boolean isItself(FileStat stat) throws IOException {
    if (!from.equals(to)) return false;
    if (fromPath.equals(toPath)) return true;
    FileStat old = statOrNull();
    return old != null && old.number() == stat.number();
  }

  /** The target must not exist, or is removed. */
  private void makePlace() throws IOException {
    FileStat old = statOrNull();
    if (old == null) return;
    if (!replace) throw new FileAlreadyExistsException(target.toString());
    remove(old);
  }

  private void remove(FileStat old) throws IOException {
    if (old.isDirectory()) to.rmdir(toPath);
    else to.unlink(toPath);
  }

  private @Nullable FileStat statOrNull() throws IOException {
    try {
      return to.stat(toPath, false);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private void copy(FileStat stat) throws IOException {
    switch (stat.kind()) {
      case SYMLINK -> to.symlink(from.readlink(fromPath), toPath);
      case DIRECTORY -> to.mkdir(toPath, stat.mode());
      case FILE -> copyContent(stat);
      case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE ->
          throw new FileSystemException(
              fromPath, toPath, "special files cannot be copied, only renamed");
    }
    if (!attributes) return;
    AttributeChange change =
        new AttributeChange().times(stat.accessTime(), stat.modifyTime()).noFollow();
    to.set(toPath, stat.kind() == FileStat.Kind.SYMLINK ? change : change.mode(stat.mode()));
  }

  private void copyContent(FileStat stat) throws IOException {
    try (InputStream in = from.open(fromPath).inputStream(0);
        OutputStream out =
            to.open(
                    toPath,
                    List.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                    stat.mode() & StatAttributes.PERMISSION_BITS)
                .outputStream(0)) {
      in.transferTo(out);
    }
  }
}
