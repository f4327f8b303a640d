// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output for bytes, bypassing the writer for text. Unlike the stream of the JDK it reports
 * when the reader is gone, so that a long command ends then.
 */
final class StandardOutput extends OutputStream {
  /** The reader is gone. */
  static final class Closed extends IOException {
    private static final long serialVersionUID = 1L;

    Closed() {
      super("standard output is closed");
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    System.out.write(bytes, from, count);
    if (System.out.checkError()) throw new Closed();
  }

  @Override
  public void flush() throws IOException {
    if (System.out.checkError()) throw new Closed();
  }
}
