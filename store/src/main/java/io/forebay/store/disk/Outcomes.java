// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.store.disk.Disk.Outcome;
import io.forebay.store.disk.Disk.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Converts the end of an operation into the outcome that its owner sees. Stateless; any thread. */
final class Outcomes {
  // Java hands the operating system's words on, not its error number. They are translated if the
  // process runs under a locale other than C or English: such a failure is then reported as IO.
  private static final String ENOSPC_TEXT = "No space left on device";
  private static final String EDQUOT_TEXT = "Disk quota exceeded";

  /** Something that is carried out at once and may fail. */
  interface Operation {
    void run() throws IOException;
  }

  private Outcomes() {}

  static Outcome of(Operation operation) {
    try {
      operation.run();
      return Outcome.Success.DONE;
    } catch (IOException failure) {
      return new Outcome.Failure(reason(failure), detail(failure));
    }
  }

  static IOException noSpace(String name) {
    return new FileSystemException(name, null, ENOSPC_TEXT);
  }

  private static Reason reason(IOException failure) {
    if (failure instanceof NoSuchFileException || failure instanceof EOFException) {
      return Reason.MISSING;
    }
    if (failure instanceof FileAlreadyExistsException) return Reason.EXISTS;
    String text = String.valueOf(failure.getMessage());
    boolean full = text.contains(ENOSPC_TEXT) || text.contains(EDQUOT_TEXT);
    return full ? Reason.NO_SPACE : Reason.IO;
  }

  private static String detail(IOException failure) {
    StringBuilder detail = new StringBuilder(failure.toString());
    for (Throwable more : failure.getSuppressed()) detail.append("; also ").append(more);
    return detail.toString();
  }
}
