// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import io.forebay.bench.Rate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The baseline of a drain: one thread that writes one file directly to the store, 8 MiB at a time,
 * forces it and names it; and one that reads it. For a directory it uses none of our code.
 */
final class SequentialWriter implements AutoCloseable {
  static final String NAME = "sequential 8MiB writer";

  private static final int WRITE_BYTES = 8 << 20;

  private final BackingStore store;
  private final DrainGround ground;
  private int files;

  SequentialWriter(DrainGround ground, String address) {
    this.ground = ground;
    this.store = BackingStores.ofThisProgram().open(address);
  }

  /** Writes a file to a directory; its removal is not timed. */
  double mibPerSecond(Path directory, long bytes) throws IOException {
    Path temporary = directory.resolve("sequential.part");
    Path name = directory.resolve("sequential");
    long start = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += WRITE_BYTES) {
        ByteBuffer chunk = ground.bytesAt(at, (int) Math.min(WRITE_BYTES, bytes - at));
        while (chunk.hasRemaining()) channel.write(chunk);
      }
      channel.force(true);
      Files.move(temporary, name, StandardCopyOption.ATOMIC_MOVE);
    }
    long nanos = System.nanoTime() - start;
    Files.delete(name);
    return Rate.mibPerSecond(bytes, nanos);
  }

  /** Writes a file to the store; its removal is not timed. */
  double mibPerSecond(long bytes) throws IOException {
    try {
      BackingPath name = BackingPath.of("sequential-" + files);
      long start = System.nanoTime();
      AttemptId id = new AttemptId("sequential." + files++);
      Attempt attempt = store.begin(new AttemptPlan(id, name, bytes, FileAttributes.NONE));
      for (long at = 0; at < bytes; at += WRITE_BYTES) {
        int length = (int) Math.min(WRITE_BYTES, bytes - at);
        store.write(attempt, at, List.of(ground.bytesAt(at, length)));
      }
      store.force(attempt);
      store.commit(attempt, name);
      long nanos = System.nanoTime() - start;
      store.delete(name, BackingStore.ANY_VERSION);
      return Rate.mibPerSecond(bytes, nanos);
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Reads a file of the store in pieces; gives MiB per second. */
  double readMibPerSecond(String name, long bytes, ByteBuffer piece) throws IOException {
    try {
      long start = System.nanoTime();
      for (long at = 0; at < bytes; at += piece.capacity()) {
        store.read(BackingPath.of(name), BackingStore.ANY_VERSION, at, piece.clear());
      }
      return Rate.mibPerSecond(bytes, System.nanoTime() - start);
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
