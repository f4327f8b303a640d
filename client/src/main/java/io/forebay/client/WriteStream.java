// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Writes a file from front to back. Flushing sends; only closing publishes. One thread. */
final class WriteStream extends OutputStream {
  private final ForebayFile file;
  private final boolean append;
  private long position;

  WriteStream(ForebayFile file, long position, boolean append) {
    this.file = file;
    this.position = position;
    this.append = append;
  }

  @Override
  public void write(int each) throws IOException {
    write(new byte[] {(byte) each}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
    if (append) file.append(buffer);
    else file.write(buffer, position);
    position += length;
  }

  @Override
  public void flush() {
    file.flushTail();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
