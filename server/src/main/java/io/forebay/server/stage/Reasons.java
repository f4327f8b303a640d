// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.backing.held.Actor;
import io.forebay.client.failure.Failures;
import io.forebay.server.stage.side.StageRefused;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Failures as sentences with the remedy. */
final class Reasons {
  private static final String NO_SPACE = "No space left on device";
  private static final String NO_QUOTA = "Disk quota exceeded";
  private static final String READ_ONLY = "Read-only file system";
  private static final int CHARS_MAX = 1000;

  private final Actor actor;

  Reasons(Actor actor) {
    this.actor = actor;
  }

  /** Whether every other file would fail the same way, so that continuing is pointless. */
  static boolean endsAll(IOException e) {
    boolean noRoom = Failures.codeOf(e) == ErrorCode.NO_SPACE;
    return noRoom || says(e, NO_SPACE) || says(e, NO_QUOTA) || says(e, READ_ONLY);
  }

  private static boolean says(IOException e, String reason) {
    // Writes through a channel have the kernel's words as their whole message.
    return String.valueOf(e.getMessage()).contains(reason);
  }

  /** The cause inside an iterator's exception. */
  static IOException cause(RuntimeException e) {
    boolean wraps = e instanceof UncheckedIOException || e instanceof DirectoryIteratorException;
    if (wraps && e.getCause() instanceof IOException inside) return inside;
    if (e instanceof InvalidPathException name) {
      return new StageRefused(
          "a name cannot be written here: %s; start the server with a locale of UTF-8"
              .formatted(name.getReason()));
    }
    return new IOException(
        "internal error, " + e.getClass().getSimpleName() + ": " + e.getMessage(), e);
  }

  /**
   * The sentence.
   *
   * @param about the path at which it happened, if the exception names none
   */
  String sentence(IOException e, String about) {
    String whole = describe(e, about);
    return whole.length() <= CHARS_MAX ? whole : whole.substring(0, CHARS_MAX - 1) + "…";
  }

  private String describe(IOException e, String about) {
    String file = e instanceof FileSystemException named ? named.getFile() : about;
    if (e instanceof StageRefused refused) return refused.sentence();
    if (says(e, NO_SPACE)) {
      return "no room is left at '%s'; make room, and start the stage again".formatted(file);
    }
    if (says(e, NO_QUOTA)) {
      return "the quota is used up at '%s'; make room, and start the stage again".formatted(file);
    }
    if (says(e, READ_ONLY)) {
      return "'%s' cannot be written, its file system is read-only; choose another destination"
          .formatted(file);
    }
    if (Failures.codeOf(e) == ErrorCode.NO_SPACE) {
      // The exception names a temporary file, which tells users nothing.
      return "the instance has no room for '%s'; give it more capacity, or delete files, and start the stage again"
          .formatted(about);
    }
    return switch (e) {
      case NoSuchFileException missing -> "'" + missing.getFile() + "' does not exist";
      case AccessDeniedException denied -> denied(denied);
      case FileAlreadyExistsException there -> "'" + there.getFile() + "' exists already";
      case NotDirectoryException other ->
          "'%s' is not a directory; choose another destination, or remove it"
              .formatted(other.getFile());
      case FileSystemLoopException link ->
          "'" + link.getFile() + "' is a symbolic link, which is not followed";
      case FileSystemException other when other.getReason() != null ->
          "'" + other.getFile() + "': " + other.getReason();
      default -> "'" + about + "': " + e.getMessage();
    };
  }

  private String denied(AccessDeniedException e) {
    return "'%s' is not accessible: %s the permission to read or write it"
        .formatted(e.getFile(), actor.describe());
  }
}
