// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes at offsets, to read a header from. */
public interface ByteSource {
  /** How many there are. */
  long size() throws IOException;

  /** Fills the buffer with the bytes at an offset, all of which exist. */
  void read(ByteBuffer target, long offset) throws IOException;

  /** Bytes in memory. */
  static ByteSource of(byte[] bytes) {
    return new ByteSource() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public void read(ByteBuffer target, long offset) {
        target.put(bytes, (int) offset, target.remaining());
      }
    };
  }
}
