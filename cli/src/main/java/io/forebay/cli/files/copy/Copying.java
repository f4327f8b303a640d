// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files.copy;

import io.forebay.base.ByteSize;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.Iterator;

/**
 * One run of a copy: first counts the files, then copies them. A file that was not copied
 * completely is removed.
 */
public final class Copying {
  /** Deeper than any intended tree. */
  private static final int DEPTH_MAX = 256;

  private final boolean recursive;
  private final Progress progress;
  private final Streams.Check check;
  private long totalBytes;
  private long doneBytes;
  private long files;

  public Copying(boolean recursive, Progress progress, Streams.Check check) {
    this.recursive = recursive;
    this.progress = progress;
    this.check = check;
  }

  /** How many files were copied. */
  public long files() {
    return files;
  }

  public long bytes() {
    return doneBytes;
  }

  /** Counts what there is to copy. */
  public void measure(CopyEnd source) throws IOException {
    measure(source, 0);
  }

  private void measure(CopyEnd source, int depth) throws IOException {
    CopyEnd.Found found = require(source, depth);
    switch (found.kind()) {
      case FILE -> totalBytes += found.sizeBytes();
      case SYMLINK -> {}
      case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> throw special(source);
      case DIRECTORY -> {
        if (!recursive) {
          throw new CommandFailed("'" + source + "' is a directory; copy it with -r");
        }
        Iterator<String> names = source.list();
        while (names.hasNext()) measure(source.below(names.next()), depth + 1);
      }
    }
  }

  /** Copies a file, or a directory with all it holds. */
  public void copy(CopyEnd source, CopyEnd target) throws IOException {
    copy(source, target, 0);
  }

  private void copy(CopyEnd source, CopyEnd target, int depth) throws IOException {
    CopyEnd.Found found = require(source, depth);
    switch (found.kind()) {
      case FILE -> copyFile(source, target);
      case SYMLINK -> target.makeLink(source.readLink());
      case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> throw special(source);
      case DIRECTORY -> {
        CopyEnd.Found there = target.find(true);
        if (there == null) target.makeDirectory();
        else if (!there.isDirectory()) {
          throw new CommandFailed("'" + target + "' is a file and '" + source + "' a directory");
        }
        Iterator<String> names = source.list();
        while (names.hasNext()) {
          String name = names.next();
          copy(source.below(name), target.below(name), depth + 1);
        }
      }
    }
  }

  private static CommandFailed special(CopyEnd source) {
    return new CommandFailed(
        "'%s' is a FIFO, a socket or a device, which cannot be copied; leave it out"
            .formatted(source));
  }

  /** Links given as arguments are followed; links inside directories are copied as links. */
  private static CopyEnd.Found require(CopyEnd source, int depth) throws IOException {
    if (depth > DEPTH_MAX) {
      throw new CommandFailed("'" + source + "' is more than " + DEPTH_MAX + " directories deep");
    }
    CopyEnd.Found found = source.find(depth == 0);
    if (found == null) throw new NoSuchFileException(source.toString());
    return found;
  }

  private void copyFile(CopyEnd source, CopyEnd target) throws IOException {
    check.mayGoOn();
    try (InputStream from = source.read()) {
      OutputStream to = target.write();
      try (to) {
        Streams.copy(from, to, this::moved, check);
        check.mayGoOn();
      } catch (IOException e) {
        // The interrupt has served its purpose, and would disturb the removal.
        Thread.interrupted();
        removeHalf(target, e);
        throw e;
      }
    }
    files++;
  }

  /** A partial file under its final name would look complete. */
  private static void removeHalf(CopyEnd target, IOException reason) {
    try {
      target.remove();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private void moved(long bytes) {
    doneBytes += bytes;
    long total = Math.max(totalBytes, doneBytes);
    progress.update(doneBytes, total, ByteSize.format(doneBytes) + " of " + ByteSize.format(total));
  }
}
