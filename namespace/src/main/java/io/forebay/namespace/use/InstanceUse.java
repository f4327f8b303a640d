// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.use;

/** How much of one instance's data has gone through a group. It only grows. */
public final class InstanceUse {
  private final WriteWindow window = new WriteWindow();
  private long writtenBytes;
  private long readBytes;
  private long ssdBytes;
  private long windowBytesMax;

  /** The bytes that clients wrote, by time. */
  public WriteWindow window() {
    return window;
  }

  /** The bytes that clients wrote to the group, copies not counted. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** The bytes that clients read from the group's home. */
  public long readBytes() {
    return readBytes;
  }

  /** The bytes of it that the group's home wrote to its SSD. */
  public long ssdBytes() {
    return ssdBytes;
  }

  /** The most bytes that were written within a window. */
  public long windowBytesMax() {
    return windowBytesMax;
  }

  void add(Counted counted) {
    writtenBytes += Math.max(0, counted.writtenBytes());
    readBytes += Math.max(0, counted.readBytes());
    ssdBytes += Math.max(0, counted.ssdBytes());
    window.add(counted.bucketMillis(), counted.bucket(), counted.writtenBytes());
    windowBytesMax = Math.max(windowBytesMax, window.bytes(counted.bucket()));
  }

  void restore(long written, long read, long ssd, long windowMax) {
    writtenBytes = written;
    readBytes = read;
    ssdBytes = ssd;
    windowBytesMax = windowMax;
  }
}
