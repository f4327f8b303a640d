// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.stage;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.file.AttributeChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Copies small files as one server staged them before files were put whole: looks for the name,
 * writes a draft, publishes it, sets its time, renames it, and closes it. Each of the last five is
 * a change of the tree. Without the checks of rights and of changed sources that a stage makes.
 */
final class DraftCopies {
  private static final int MODE = 0644;

  private final Forebay client;
  private final int threads;

  DraftCopies(Forebay client, int threads) {
    this.client = client;
    this.threads = threads;
  }

  /** Nanoseconds for all files below a directory. */
  long copy(Path source) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    List<Path> all;
    try (Stream<Path> walk = Files.walk(source)) {
      all = walk.toList();
    }
    List<Path> files = all.stream().filter(Files::isRegularFile).toList();
    for (Path directory : all.stream().filter(Files::isDirectory).toList()) {
      if (!directory.equals(source)) client.mkdir("/" + source.relativize(directory));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Object>> copies =
          pool.invokeAll(
              files.stream()
                  .<Callable<Object>>map(
                      file ->
                          () -> {
                            copyFile(file, "/" + source.relativize(file));
                            return file;
                          })
                  .toList());
      for (Future<Object> copy : copies) copy.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    return System.nanoTime() - startNanos;
  }

  private void copyFile(Path file, String target) throws IOException {
    try {
      client.stat(target);
      throw new IOException(target + " is there");
    } catch (NoSuchFileException free) {
      // As it should be.
    }
    String draft = target + ".draft";
    try (ForebayFile written = client.open(draft, List.of(CREATE_NEW, WRITE), MODE)) {
      written.write(ByteBuffer.wrap(Files.readAllBytes(file)), 0);
      written.sync();
      client.set(
          draft,
          new AttributeChange()
              .mode(MODE)
              .times(null, Files.getLastModifiedTime(file).toInstant()));
      client.rename(draft, target);
    }
  }
}
