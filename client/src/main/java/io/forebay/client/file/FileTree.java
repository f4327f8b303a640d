// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;

/** The files of an instance by their names, as far as searches through them need it. */
public interface FileTree {
  /** A file that is open for reading. */
  interface Content extends Closeable {
    /** Reads from an offset and says how many bytes; 0 or less at the end. */
    int read(ByteBuffer into, long offset) throws IOException;
  }

  FileStat stat(String path) throws IOException;

  Iterator<DirectoryEntry> list(String directory) throws IOException;

  Content open(String path) throws IOException;
}
