// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior.file;

import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.slow.SlowDevice;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Files of a directory, as they are or as slow as the slow profile. */
public final class PosixFiles implements TestFiles {
  private interface Call<T> {
    T run() throws IOException;
  }

  private final Path directory;
  private final @Nullable SlowDevice device;

  private PosixFiles(Path directory, @Nullable SlowDevice device) {
    this.directory = directory;
    this.device = device;
  }

  public static PosixFiles at(Path directory) {
    return new PosixFiles(directory, null);
  }

  /** With the device of instances whose store is {@code slow+posix:DIRECTORY}. */
  public static PosixFiles slow(Path directory) {
    try (BackingStore store = BackingStores.ofThisProgram().open("posix:" + directory)) {
      return new PosixFiles(directory, SlowDevice.of(store.description()));
    }
  }

  @Override
  public TestFile open(String path, boolean write) throws IOException {
    FileChannel channel =
        call(
            0,
            () ->
                write
                    ? FileChannel.open(
                        directory.resolve(path),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)
                    : FileChannel.open(directory.resolve(path), StandardOpenOption.READ));
    return new OpenChannel(channel);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return call(0, () -> Files.exists(directory.resolve(path), LinkOption.NOFOLLOW_LINKS));
  }

  @Override
  public void delete(String path) throws IOException {
    call(0, () -> Files.deleteIfExists(directory.resolve(path)));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    call(
        0,
        () ->
            Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING));
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

  private final class OpenChannel implements TestFile {
    private final FileChannel channel;

    OpenChannel(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      call(bytes.remaining(), () -> writeAll(bytes, offset));
    }

    private boolean writeAll(ByteBuffer bytes, long offset) throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) at += channel.write(bytes, at);
      return true;
    }

    @Override
    public void read(ByteBuffer target, long offset) throws IOException {
      call(target.remaining(), () -> readAll(target, offset));
    }

    private boolean readAll(ByteBuffer target, long offset) throws IOException {
      long at = offset;
      while (target.hasRemaining()) {
        int count = channel.read(target, at);
        if (count < 0) throw new EOFException("a file ends at " + at);
        at += count;
      }
      return true;
    }

    @Override
    public void sync() throws IOException {
      call(
          0,
          () -> {
            channel.force(false);
            return true;
          });
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
