package io.forebay.bench.metarates;

import java.io.IOException;
import java.time.Instant;

/** One client's view of a tree of names. Paths begin with a slash. One thread at a time. */
interface NameTree extends AutoCloseable {
  void makeDirectory(String path) throws IOException;

  void removeDirectory(String path) throws IOException;

  /** Makes an empty file that was not there, and closes it. */
  void create(String path) throws IOException;

  void stat(String path) throws IOException;

  void touch(String path, Instant time) throws IOException;

  void unlink(String path) throws IOException;

  @Override
  void close() throws IOException;
}
