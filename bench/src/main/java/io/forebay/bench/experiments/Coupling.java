// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.ior.file.TestFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Two programs that know each other by files only, each with a thread and a connection of its own.
 *
 * <ol>
 *   <li>The writer writes each step under a temporary name, forces and closes it.
 *   <li>It renames the file. From then on the step is complete.
 *   <li>The reader looks for the name of the next step until it is there.
 *   <li>It reads the step, checks it, and writes a picture of it.
 * </ol>
 */
final class Coupling implements AutoCloseable {
  /** The output of the writer. */
  record Shape(int steps, long stepBytes) {
    long totalBytes() {
      return steps * stepBytes;
    }
  }

  private static final int TRANSFER_BYTES_MAX = 1 << 20;
  private static final int PICTURE_BYTES = 64 << 10;
  private static final long POLL_MILLIS = 1;

  /** What a dot of the picture shows of a step. Few dots, so that reading is what takes time. */
  private static final int DOT_BYTES = 512;

  /** In front of each transfer: the step and the offset. */
  private static final int HEADER_BYTES = 2 * Long.BYTES;

  private final Shape shape;
  private final String prefix;
  private final boolean reads;
  private final TestFiles writer;
  private final TestFiles reader;
  private final ByteBuffer written;
  private final ByteBuffer read;
  private final ByteBuffer picture;
  private final ExecutorService programs =
      Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().name("coupled-", 0).factory());

  /**
   * Connects both programs.
   *
   * @param reads whether there is a reader; else the writer is alone
   */
  Coupling(Shape shape, IorTarget target, boolean reads) throws IOException {
    this.shape = shape;
    this.prefix = target.testFile();
    this.reads = reads;
    int transferBytes = (int) Math.min(TRANSFER_BYTES_MAX, shape.stepBytes);
    written = words(transferBytes);
    read = words(transferBytes);
    picture = words(PICTURE_BYTES);
    for (int at = 0; at < transferBytes; at += Long.BYTES) written.putLong(at, at);
    writer = target.connect();
    try {
      reader = target.connect();
    } catch (IOException e) {
      writer.close();
      throw e;
    }
  }

  private static ByteBuffer words(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  Shape shape() {
    return shape;
  }

  /**
   * Runs both; returns the time until the last picture, or the last step if the writer is alone.
   */
  long measureNanos() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Future<Long> writing = programs.submit(this::write);
    if (!reads) return ended(writing) - start;
    Future<Long> reading = programs.submit(() -> read(writing));
    // The writer's failure is the reason for that of the reader.
    ended(writing);
    return ended(reading) - start;
  }

  private static long ended(Future<Long> program) throws IOException, InterruptedException {
    try {
      return program.get();
    } catch (ExecutionException e) {
      throw new IOException("a coupled program failed: " + e.getCause(), e);
    }
  }

  private long write() throws IOException {
    for (int step = 0; step < shape.steps; step++) {
      String unfinished = step(step) + ".part";
      try (TestFiles.TestFile file = writer.open(unfinished, true)) { // 1
        for (long at = 0; at < shape.stepBytes; at += written.capacity()) {
          written.clear().putLong(0, step).putLong(Long.BYTES, at);
          file.write(written, at);
        }
        file.sync();
      }
      writer.rename(unfinished, step(step)); // 2
    }
    return System.nanoTime();
  }

  private long read(Future<Long> writing) throws IOException, InterruptedException {
    for (int step = 0; step < shape.steps; step++) {
      awaitStep(step, writing); // 3
      draw(step); // 4
    }
    return System.nanoTime();
  }

  private void awaitStep(int step, Future<Long> writing) throws IOException, InterruptedException {
    while (true) {
      boolean last = writing.isDone();
      if (reader.exists(step(step))) return;
      if (last) throw new IOException("the writer ended before step " + step);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private void draw(int step) throws IOException {
    try (TestFiles.TestFile file = reader.open(step(step), false)) {
      for (long at = 0; at < shape.stepBytes; at += read.capacity()) {
        file.read(read.clear(), at);
        if (read.getLong(0) != step || read.getLong(Long.BYTES) != at) {
          throw new IOException("step %d has wrong bytes at %d".formatted(step, at));
        }
        for (int word = HEADER_BYTES; word < read.capacity(); word += DOT_BYTES) {
          int dot = word % PICTURE_BYTES;
          picture.putLong(dot, picture.getLong(dot) + read.getLong(word));
        }
      }
    }
    try (TestFiles.TestFile file = reader.open(picture(step), true)) {
      file.write(picture.clear(), 0);
      file.sync();
    }
  }

  private String step(int step) {
    return "%s-%d.plt".formatted(prefix, step);
  }

  private String picture(int step) {
    return "%s-%d.png".formatted(prefix, step);
  }

  void deleteFiles() throws IOException {
    for (int step = 0; step < shape.steps; step++) {
      writer.delete(step(step));
      writer.delete(picture(step));
    }
  }

  @Override
  public void close() throws IOException {
    programs.shutdownNow();
    try (writer) {
      reader.close();
    }
  }
}
