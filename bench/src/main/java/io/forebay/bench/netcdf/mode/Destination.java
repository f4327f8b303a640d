// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.backing.slow.SlowDevice;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The destination of files: counts the writes of one rank, and is as slow as the slow profile if
 * requested. Any thread.
 */
public final class Destination implements Storage, AutoCloseable {
  private interface Call<T> {
    T run() throws IOException;
  }

  private static final Storage BELOW = Storage.standard();

  private final @Nullable SlowDevice device;
  private final LongAdder writes = new LongAdder();
  private final LongAdder writtenBytes = new LongAdder();

  private Destination(@Nullable SlowDevice device) {
    this.device = device;
  }

  /** As fast as it is. */
  public static Destination plain() {
    return new Destination(null);
  }

  /** One device for all users of the same directory, in this and in other processes. */
  public static Destination slow(Path directory) {
    return new Destination(SlowDevice.of("netcdf " + directory));
  }

  @Override
  public SharedFile open(Path path, OpenOption... options) throws IOException {
    return new Counted(call(0, () -> BELOW.open(path, options)));
  }

  /** How often something was written. */
  public long writes() {
    return writes.sum();
  }

  public long writtenBytes() {
    return writtenBytes.sum();
  }

  @Override
  public void close() {
    if (device != null) device.close();
  }

  private <T> T call(long bytes, Call<T> what) throws IOException {
    if (device == null) return what.run();
    long endNanos = device.begin(bytes);
    try {
      return what.run();
    } finally {
      device.awaitEnd(endNanos);
    }
  }

  private final class Counted extends ForwardingFile {

    Counted(SharedFile file) {
      super(file);
    }

    @Override
    public long read(MemorySegment target, long offset) throws IOException {
      return call(target.byteSize(), () -> super.read(target, offset));
    }

    @Override
    public void write(MemorySegment source, long offset) throws IOException {
      writes.increment();
      writtenBytes.add(source.byteSize());
      call(source.byteSize(), () -> done(() -> super.write(source, offset)));
    }

    @Override
    public void extend(long sizeBytes) throws IOException {
      call(0, () -> done(() -> super.extend(sizeBytes)));
    }

    @Override
    public void force() throws IOException {
      call(0, () -> done(super::force));
    }

    private static boolean done(Step step) throws IOException {
      step.run();
      return true;
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
