// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior.file;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Files of an instance, through a connection of its own. */
public final class ForebayFiles implements TestFiles {
  /** Longer than usual: the machine may be full of tasks. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Forebay client;

  private ForebayFiles(Forebay client) {
    this.client = client;
  }

  public static ForebayFiles connect(String uri) throws IOException {
    return new ForebayFiles(Forebay.connect(uri, ForebayOptions.defaults().withTimeout(TIMEOUT)));
  }

  @Override
  public TestFile open(String path, boolean write) throws IOException {
    return new OpenFile(
        write
            ? client.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE)
            : client.open(path, StandardOpenOption.READ));
  }

  @Override
  public boolean exists(String path) throws IOException {
    try {
      return client.stat(path, false).sizeBytes() >= 0;
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  @Override
  public void delete(String path) throws IOException {
    if (exists(path)) client.unlink(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    client.rename(from, to);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }

  private record OpenFile(ForebayFile file) implements TestFile {
    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      file.write(bytes, offset);
    }

    @Override
    public void read(ByteBuffer target, long offset) throws IOException {
      file.read(target, offset);
      if (target.hasRemaining()) throw new EOFException(file.path() + " ends too early");
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
