// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import io.forebay.wire.message.Names;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;

/**
 * How a file is opened.
 *
 * @param sync whether every write is published before it returns
 */
public record OpenFlags(
    boolean read,
    boolean write,
    boolean append,
    boolean create,
    boolean exclusive,
    boolean truncate,
    boolean sync,
    boolean deleteOnClose) {

  /**
   * The combined meaning of options, by the rules of {@link java.nio.file.Files#newByteChannel}.
   *
   * @throws UnsupportedOperationException for an option that is not supported here
   */
  public static OpenFlags of(Collection<? extends OpenOption> options) {
    boolean append = options.contains(StandardOpenOption.APPEND);
    boolean write = append || options.contains(StandardOpenOption.WRITE);
    boolean read = options.contains(StandardOpenOption.READ) || !write;
    for (OpenOption option : options) {
      // The caller handles links that are not to be followed; sparse files need no request.
      boolean known = option instanceof StandardOpenOption || option instanceof LinkOption;
      if (!known) throw new UnsupportedOperationException("option " + option);
    }
    boolean truncate = write && options.contains(StandardOpenOption.TRUNCATE_EXISTING);
    if (append && (truncate || options.contains(StandardOpenOption.READ))) {
      throw new IllegalArgumentException(
          "APPEND with " + (truncate ? "TRUNCATE_EXISTING" : "READ"));
    }
    boolean exclusive = write && options.contains(StandardOpenOption.CREATE_NEW);
    return new OpenFlags(
        read,
        write,
        append,
        exclusive || (write && options.contains(StandardOpenOption.CREATE)),
        exclusive,
        truncate,
        options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC),
        options.contains(StandardOpenOption.DELETE_ON_CLOSE));
  }

  /** The same for an existing file, under any name. */
  public OpenFlags existing() {
    if (deleteOnClose) throw new UnsupportedOperationException("DELETE_ON_CLOSE by number");
    return new OpenFlags(read, write, append, false, false, truncate, sync, false);
  }

  /** The same for a file that is not there. */
  public OpenFlags making() {
    return new OpenFlags(read, write, append, true, true, false, sync, deleteOnClose);
  }

  public Names.Open request(long directory, String path, int mode) {
    return new Names.Open(directory, path, read, write, create, exclusive, truncate, mode);
  }
}
