// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import io.forebay.client.failure.WarnedOnce;
import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * Warnings of a command's clients: a line each on standard error, so that results stay as they are.
 */
public final class WarningLines {
  /** How each line begins. */
  public static final String BEGIN = "forebay: warning: ";

  private WarningLines() {}

  /** Prints there. */
  public static Consumer<String> on(PrintWriter err) {
    return new WarnedOnce(
        sentence -> {
          err.println(BEGIN + sentence + ".");
          err.flush();
        });
  }
}
