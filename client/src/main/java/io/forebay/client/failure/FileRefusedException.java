// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.failure;

import io.forebay.wire.message.ErrorCode;
import java.nio.file.FileSystemException;

/** Errors of file systems that the JDK has no class for, such as a name that is too long. */
public class FileRefusedException extends FileSystemException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  public FileRefusedException(String file, ErrorCode code, String detail) {
    super(file, null, detail);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
