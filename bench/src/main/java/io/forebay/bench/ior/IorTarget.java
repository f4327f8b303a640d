// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.backing.slow.SlowStore;
import io.forebay.bench.ior.file.ForebayFiles;
import io.forebay.bench.ior.file.PosixFiles;
import io.forebay.bench.ior.file.TestFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The location of the files.
 *
 * @param where a directory, or the address of an instance
 * @param testFile the name of the file, or the prefix of several, below it
 */
public record IorTarget(Api api, String where, String testFile) {
  /** What keeps the files ({@code -a}). */
  public enum Api {
    POSIX,
    /** A directory as slow as the slow profile. */
    SLOW,
    FOREBAY
  }

  /** A connection for one task. */
  public TestFiles connect() throws IOException {
    return switch (api) {
      case POSIX -> PosixFiles.at(Path.of(where));
      case SLOW -> PosixFiles.slow(Path.of(where));
      case FOREBAY -> ForebayFiles.connect(where);
    };
  }

  /** In words for people. */
  public String description() {
    String word = api.name().toLowerCase(Locale.ROOT);
    return api == Api.SLOW ? "posix (" + SlowStore.LABEL + ")" : word;
  }
}
