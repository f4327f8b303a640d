// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

/**
 * Ends a command with exit code 1 and one sentence for its user. The message names the thing that
 * is wrong and the remedy, begins in lower case, and has no final full stop: {@code "'/data' is in
 * use by process 4711; stop that process first"}.
 */
public final class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailed(String message) {
    super(message);
  }

  public CommandFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
