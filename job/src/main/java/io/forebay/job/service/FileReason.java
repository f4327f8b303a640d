// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read, in words for the users of jobs. */
public final class FileReason {
  private FileReason() {}

  /** The reason without the name of the file. */
  public static String of(IOException e) {
    if (e instanceof NoSuchFileException) return "it does not exist";
    if (e instanceof AccessDeniedException) return "permission denied";
    String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
    return reason == null ? "it is no plain file" : reason;
  }
}
