// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.failure;

import io.forebay.client.core.route.RequestFailed;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Which exception stands for which code, and back. */
public final class Failures {
  private Failures() {}

  /** The code behind an exception of this package, or FAILED for any other. */
  public static ErrorCode codeOf(Throwable failure) {
    if (failure instanceof ForebayException forebay) return forebay.code();
    if (failure instanceof FileRefusedException refused) return refused.code();
    if (failure instanceof NoSuchFileException) return ErrorCode.NOT_FOUND;
    if (failure instanceof FileAlreadyExistsException) return ErrorCode.EXISTS;
    if (failure instanceof DirectoryNotEmptyException) return ErrorCode.NOT_EMPTY;
    if (failure instanceof NotDirectoryException) return ErrorCode.NOT_A_DIRECTORY;
    if (failure instanceof AccessDeniedException) return ErrorCode.ACCESS_DENIED;
    if (failure instanceof FileSystemLoopException) return ErrorCode.TOO_MANY_SYMLINKS;
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return codeOf(failure.getCause());
    }
    return ErrorCode.FAILED;
  }

  /** The exception for what happened to a file, or to no file in particular. */
  public static IOException toException(Throwable failure, @Nullable String file) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException translated) return translated;
    }
    RequestFailed failed = RequestFailed.from(failure);
    String detail = String.valueOf(failed.getMessage());
    if (file == null) return new ForebayException(failed.code(), detail);
    return switch (failed.code()) {
      case NOT_FOUND -> new NoSuchFileException(file, null, detail);
      case EXISTS -> new FileAlreadyExistsException(file, null, detail);
      case NOT_EMPTY -> new DirectoryNotEmptyException(file);
      case NOT_A_DIRECTORY -> new NotDirectoryException(file);
      case ACCESS_DENIED -> new AccessDeniedException(file, null, detail);
      case TOO_MANY_SYMLINKS -> new FileSystemLoopException(file);
      case IS_A_DIRECTORY,
          NOT_PERMITTED,
          NAME_TOO_LONG,
          TOO_MANY_LINKS,
          NO_SPACE,
          TOO_LARGE,
          INVALID,
          NO_ATTRIBUTE,
          STALE_HANDLE,
          READ_ONLY,
          TOO_MANY_FILES ->
          new FileRefusedException(file, failed.code(), detail);
      default -> new ForebayException(failed.code(), file + ": " + detail);
    };
  }

  /** A future that fails with the exceptions of this package. */
  public static <T> CompletableFuture<T> translated(
      CompletableFuture<T> future, @Nullable String file) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<?> unused =
        future.whenComplete(
            (value, failure) -> {
              if (failure == null) result.complete(value);
              else result.completeExceptionally(toException(failure, file));
            });
    return result;
  }
}
