// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files.copy;

import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A file or directory, existing or not: on this machine or in an instance. */
public interface CopyEnd {
  /** An existing file or directory. */
  record Found(FileStat.Kind kind, long sizeBytes) {
    public boolean isDirectory() {
      return kind == FileStat.Kind.DIRECTORY;
    }
  }

  /**
   * The existing file or directory, or null.
   *
   * @param follow whether symbolic links are followed
   */
  @Nullable Found find(boolean follow) throws IOException;

  /** The last part of its path. */
  String name();

  CopyEnd below(String name);

  /** The names in a directory. */
  Iterator<String> list() throws IOException;

  InputStream read() throws IOException;

  /** Creates a file, or empties an existing one; complete when the stream is closed. */
  OutputStream write() throws IOException;

  void makeDirectory() throws IOException;

  String readLink() throws IOException;

  void makeLink(String to) throws IOException;

  /** Removes a file. */
  void remove() throws IOException;
}
