// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.file.DirectoryEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The names in a directory that pass a filter. Can be iterated once. */
final class NameStream implements DirectoryStream<Path> {
  private final Path directory;
  private final Iterator<DirectoryEntry> entries;
  private final Filter<? super Path> filter;
  private boolean begun;
  private boolean closed;

  NameStream(Path directory, Iterator<DirectoryEntry> entries, Filter<? super Path> filter) {
    this.directory = directory;
    this.entries = entries;
    this.filter = filter;
  }

  @Override
  public Iterator<Path> iterator() {
    if (begun || closed) throw new IllegalStateException("a stream is gone through once");
    begun = true;
    return new Filtered();
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class Filtered implements Iterator<Path> {
    private @Nullable Path next;

    @Override
    public boolean hasNext() {
      try {
        while (next == null && !closed && entries.hasNext()) {
          Path path = directory.resolve(entries.next().name());
          if (filter.accept(path)) next = path;
        }
        return next != null;
      } catch (UncheckedIOException e) {
        throw new DirectoryIteratorException(e.getCause());
      } catch (IOException e) {
        throw new DirectoryIteratorException(e);
      }
    }

    @Override
    public Path next() {
      if (!hasNext() || next == null) throw new NoSuchElementException();
      Path path = next;
      next = null;
      return path;
    }
  }
}
