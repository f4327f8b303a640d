// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.FileTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;

/** A client's files, for searches through them. Any thread may call it. */
record ClientTree(Forebay client) implements FileTree {
  private record OpenContent(ForebayFile file) implements Content {
    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
      return file.read(into, offset);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public FileStat stat(String path) throws IOException {
    return client.stat(path);
  }

  @Override
  public Iterator<DirectoryEntry> list(String directory) throws IOException {
    return client.list(directory);
  }

  @Override
  public Content open(String path) throws IOException {
    return new OpenContent(client.open(path, StandardOpenOption.READ));
  }
}
