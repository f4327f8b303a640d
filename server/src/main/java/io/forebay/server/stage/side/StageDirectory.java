// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A directory on one side of a stage: in the instance or on the file system. Names are single path
 * components, and no symbolic link is ever followed. Any thread; each holder closes it.
 */
public interface StageDirectory extends AutoCloseable {
  /** Names of a directory, some at a time. */
  interface Listing extends Iterator<Item>, AutoCloseable {
    @Override
    void close() throws IOException;
  }

  /** A file that has no name yet. One thread. Closing it before it is finished removes it. */
  interface Draft extends AutoCloseable {
    void write(byte[] bytes, int length) throws IOException;

    /**
     * Makes the written bytes durable, sets the item's time and mode, and then gives it its name.
     */
    void finish(Item like) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Some bytes of a draft that another server began. One thread. Closing it leaves the draft. */
  interface Section extends AutoCloseable {
    void write(byte[] bytes, int length, long offset) throws IOException;

    /** Makes the written bytes durable, as far as a finished draft would. */
    void keep() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** For people. */
  String path();

  /** Whether it was made when it was opened, so that there is hardly anything in it. */
  boolean isNew();

  /** The path of a name in it, for people. */
  default String pathOf(String name) {
    return path().endsWith("/") ? path() + name : path() + "/" + name;
  }

  /** The same for one more user. */
  StageDirectory hold();

  /** Releases it. */
  @Override
  void close();

  /** The entry of a name, or null. */
  @Nullable Item look(String name) throws IOException;

  Listing list() throws IOException;

  /** The directory of that name. */
  StageDirectory enter(String name) throws IOException;

  /** The directory of that name; created if it does not exist. */
  StageDirectory make(String name, int mode) throws IOException;

  /** The bytes of a file from an offset on. */
  InputStream read(String name, long offset) throws IOException;

  String readLink(String name) throws IOException;

  /** Begins a file under a new, unique name. */
  Draft draft(String draftName) throws IOException;

  /** A section of a draft that another server began. */
  Section section(String draftName) throws IOException;

  /**
   * Makes a file with all its bytes, and the name, time and mode of an item, if nothing has that
   * name. It appears whole.
   *
   * @param draftName a new, unique name that it may have before
   * @throws FileAlreadyExistsException if something has the name
   */
  void put(String draftName, Item like, byte[] bytes, int length) throws IOException;

  /** The same, and may return before; the bytes must not change until the future is complete. */
  default CompletableFuture<Void> putAsync(String draftName, Item like, byte[] bytes, int length) {
    try {
      put(draftName, like, bytes, length);
      return CompletableFuture.completedFuture(null);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Makes a symbolic link, under the draft's name first. */
  void link(String draftName, String name, String target) throws IOException;

  void remove(String name) throws IOException;
}
