// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.util.List;

/** Converts errors of the operating system into failures with a sentence. Stateless; any thread. */
final class PosixFailures {
  // Java hands the operating system's words on, not its error number. They are translated if the
  // process runs under a locale other than C or English: such a failure is then reported as Other.
  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");
  private static final List<String> FORBIDDEN =
      List.of("Permission denied", "Operation not permitted", "Read-only file system");
  private static final List<String> AWAY =
      List.of(
          "Input/output error",
          "Stale file handle",
          "Connection timed out",
          "Connection refused",
          "Transport endpoint is not connected",
          "Cannot send after transport endpoint shutdown",
          "Host is down",
          "No route to host",
          "No such device",
          "Resource temporarily unavailable",
          "Device or resource busy",
          "Interrupted system call",
          "Too many open files",
          "Cannot allocate memory");
  private static final List<String> OTHER_KIND =
      List.of("Not a directory", "Is a directory", "symbolic link", "No such device or address");
  private static final List<String> IMPOSSIBLE =
      List.of("File name too long", "File too large", "Operation not supported", "Malformed input");

  private PosixFailures() {}

  /**
   * The failure of an operation.
   *
   * @param doing the operation and its target, such as {@code "writing '/scratch/a'"}
   */
  static BackingException of(IOException cause, String doing) {
    return new BackingException(failure(cause, doing), cause);
  }

  private static BackingFailure failure(IOException cause, String doing) {
    if (cause instanceof NoSuchFileException) {
      return new BackingFailure.NotFound(doing + " failed: there is no such file or directory");
    }
    if (cause instanceof FileAlreadyExistsException) {
      return new BackingFailure.Exists(doing + " failed: it is there already");
    }
    if (cause instanceof DirectoryNotEmptyException) {
      return new BackingFailure.NotEmpty(doing + " failed: the directory is not empty");
    }
    if (cause instanceof AccessDeniedException denied) {
      String reason = denied.getReason();
      if (reason == null) return forbidden(doing, "permission denied");
      return new BackingFailure.NoPermission(
          "%s failed: '%s': %s; the owner of the instance needs the right to"
              .formatted(doing, denied.getFile(), reason));
    }
    if (cause instanceof FileSystemLoopException) return otherKind(doing, "it is a symbolic link");
    if (cause instanceof NotDirectoryException) return otherKind(doing, "it is not a directory");
    if (cause instanceof NotLinkException) return otherKind(doing, "it is not a symbolic link");
    if (cause instanceof AtomicMoveNotSupportedException) {
      return new BackingFailure.Changed(
          doing + " failed: the two directories are on different file systems");
    }
    if (cause instanceof OpenAttempts.BytesLost) {
      return new BackingFailure.Changed(
          doing
              + " failed: an earlier force failed, so that bytes may be lost; it is written again");
    }
    return byWords(cause, doing);
  }

  private static BackingFailure byWords(IOException cause, String doing) {
    String words = words(cause);
    if (has(words, FULL)) {
      return new BackingFailure.NoSpace(
          "%s failed: %s; make room there, or raise the quota".formatted(doing, words));
    }
    if (has(words, FORBIDDEN)) return forbidden(doing, words);
    if (has(words, OTHER_KIND)) return otherKind(doing, words);
    if (has(words, AWAY)) {
      return new BackingFailure.Unavailable(
          "%s failed: %s; look after the file system".formatted(doing, words));
    }
    if (has(words, IMPOSSIBLE)) return new BackingFailure.Unsupported(doing + " failed: " + words);
    return new BackingFailure.Other(doing + " failed: " + words);
  }

  private static BackingFailure forbidden(String doing, String words) {
    return new BackingFailure.NoPermission(
        "%s failed: %s; let the user that Forebay runs as (%s) write there"
            .formatted(doing, words, System.getProperty("user.name")));
  }

  private static BackingFailure otherKind(String doing, String words) {
    return new BackingFailure.WrongKind(
        "%s failed: %s; Forebay follows no symbolic links below a backing directory"
            .formatted(doing, words));
  }

  /** Without the path, which Java puts in front and the sentence has. */
  private static String words(IOException cause) {
    if (cause instanceof FileSystemException named && named.getReason() != null) {
      return named.getReason();
    }
    return String.valueOf(cause.getMessage());
  }

  private static boolean has(String words, List<String> texts) {
    return texts.stream().anyMatch(words::contains);
  }
}
