// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files.copy;

import io.forebay.cli.remote.RemotePath;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A file or directory of an instance. */
public record RemoteEnd(Forebay forebay, RemotePath path) implements CopyEnd {
  @Override
  public @Nullable Found find(boolean follow) throws IOException {
    try {
      FileStat stat = forebay.stat(path.path(), follow);
      return new Found(stat.kind(), stat.sizeBytes());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public String name() {
    return path.name();
  }

  @Override
  public CopyEnd below(String name) {
    return new RemoteEnd(forebay, path.below(name));
  }

  @Override
  public Iterator<String> list() throws IOException {
    Iterator<DirectoryEntry> entries = forebay.list(path.path());
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public String next() {
        return entries.next().name();
      }
    };
  }

  @Override
  public InputStream read() throws IOException {
    ForebayFile file = forebay.open(path.path(), StandardOpenOption.READ);
    return new FilterInputStream(file.inputStream(0)) {
      @Override
      public void close() throws IOException {
        try (file) {
          super.close();
        }
      }
    };
  }

  @Override
  public OutputStream write() throws IOException {
    ForebayFile file =
        forebay.open(
            path.path(),
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING);
    return new FilterOutputStream(file.outputStream(0)) {
      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
      }

      @Override
      public void close() throws IOException {
        try (file) {
          super.close();
        }
      }
    };
  }

  @Override
  public void makeDirectory() throws IOException {
    forebay.mkdir(path.path());
  }

  @Override
  public String readLink() throws IOException {
    return forebay.readlink(path.path());
  }

  @Override
  public void makeLink(String to) throws IOException {
    forebay.symlink(to, path.path());
  }

  @Override
  public void remove() throws IOException {
    forebay.unlink(path.path());
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
