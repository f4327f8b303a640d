// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One task's access to the files, in any storage. */
public interface TestFiles extends AutoCloseable {
  /** An open file. */
  interface TestFile extends AutoCloseable {
    /** Writes all that remains of the buffer. */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /** Fills what remains of the buffer; a file that ends before is a failure. */
    void read(ByteBuffer target, long offset) throws IOException;

    /** Makes the written bytes as safe as this storage can. */
    void sync() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Opens a file; one that is to be written and is not there is made. */
  TestFile open(String path, boolean write) throws IOException;

  boolean exists(String path) throws IOException;

  void delete(String path) throws IOException;

  /** Gives a file another name, in one step. */
  void rename(String from, String to) throws IOException;

  @Override
  void close() throws IOException;
}
