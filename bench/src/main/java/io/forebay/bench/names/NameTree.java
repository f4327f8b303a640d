// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.names;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/** One client's view of a tree of names. Paths begin with a slash. One thread at a time. */
public interface NameTree extends AutoCloseable {
  void makeDirectory(String path) throws IOException;

  void removeDirectory(String path) throws IOException;

  /** Makes an empty file that was not there, and closes it. */
  void create(String path) throws IOException;

  /** Makes a file that was not there with all that remains of the buffer, and closes it. */
  void create(String path, ByteBuffer bytes) throws IOException;

  /** Opens a file, reads from its beginning until the buffer is full, and closes it. */
  void read(String path, ByteBuffer target) throws IOException;

  void stat(String path) throws IOException;

  void touch(String path, Instant time) throws IOException;

  void unlink(String path) throws IOException;

  @Override
  void close() throws IOException;
}
