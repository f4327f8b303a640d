// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.backing;

import io.forebay.cli.terminal.CommandFailed;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of a backing store that an option of a command names. Stateless. */
public final class BackingAddress {
  /** The path of a directory, or something with a scheme. */
  private static final Pattern FORM = Pattern.compile("/.*|[a-z][a-z0-9+.-]*:.*");

  private BackingAddress() {}

  /** Why an option cannot have the value, as a sentence, or null. */
  public static @Nullable String problemWith(String option, String value) {
    if (FORM.matcher(value).matches()) return null;
    return "%s cannot be '%s'; give the whole path of a directory, or such as s3://BUCKET/DIR"
        .formatted(option, value);
  }

  /**
   * Ends a command whose store the servers cannot use, before files wait to be drained.
   *
   * @param problem what servers found; empty if they can use it
   * @param remedy the last part of the sentence
   */
  public static void requireUsable(String problem, String remedy) {
    if (problem.isEmpty()) return;
    throw new CommandFailed("the backing store cannot be used: %s; %s".formatted(problem, remedy));
  }
}
