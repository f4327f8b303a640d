// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** A file with a position. One operation at a time, as with any channel that has one. */
final class ForebayChannel implements SeekableByteChannel {
  private final ForebayFile file;
  private final boolean append;
  private long position;

  ForebayChannel(ForebayFile file, boolean append) {
    this.file = file;
    this.append = append;
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    int count = file.read(target, position);
    if (count > 0) position += count;
    return count;
  }

  @Override
  public synchronized int write(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    if (append) {
      file.append(bytes);
    } else {
      file.write(bytes, position);
      position += count;
    }
    return count;
  }

  /** The position; the file's end if everything is appended. */
  @Override
  public synchronized long position() throws IOException {
    return append ? file.size() : position;
  }

  @Override
  public synchronized SeekableByteChannel position(long to) {
    if (to < 0) throw new IllegalArgumentException("position " + to);
    position = to;
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  /** Truncates the file if it is longer, as channels do; the position follows. */
  @Override
  public synchronized SeekableByteChannel truncate(long sizeBytes) throws IOException {
    if (sizeBytes < 0) throw new IllegalArgumentException("size " + sizeBytes);
    if (sizeBytes < file.size()) file.truncate(sizeBytes);
    position = Math.min(position, sizeBytes);
    return this;
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
