// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.io.IOException;

/** One side of a stage: the instance, or the file system. Any thread. */
public interface Side {
  /** The node of a path. */
  sealed interface Found extends AutoCloseable {
    @Override
    void close();

    /** Fails if it cannot be read. Of a directory, only its names are read. */
    void requireReadable() throws IOException;

    /** A directory. */
    record Directory(StageDirectory place, int mode) implements Found {
      @Override
      public void requireReadable() throws IOException {
        place.list().close();
      }

      @Override
      public void close() {
        place.close();
      }
    }

    /** Any other node, in a directory. */
    record Other(StageDirectory parent, Item item) implements Found {
      @Override
      public void requireReadable() throws IOException {
        if (item.kind() == Item.Kind.FILE) parent.read(item.name(), 0).close();
      }

      @Override
      public void close() {
        parent.close();
      }
    }
  }

  /** The node of a path; symbolic links are followed, but never out of the permitted roots. */
  Found find(String path) throws IOException;

  /** The directory of exactly that path: no symbolic link on it is followed. */
  StageDirectory at(String path) throws IOException;

  /** A directory; it and its missing parents are created. */
  StageDirectory directory(String path, int mode) throws IOException;
}
