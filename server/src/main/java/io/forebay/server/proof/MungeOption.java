// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether a manager takes credentials of MUNGE.
 *
 * @param socket where munged listens; null for the usual place
 */
public record MungeOption(boolean on, @Nullable Path socket) {
  public static final MungeOption OFF = new MungeOption(false, null);

  /**
   * Reads {@code off}, {@code on} or the whole path of a socket.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public static MungeOption parse(String text) {
    if (text.equals("off")) return OFF;
    if (text.equals("on")) return new MungeOption(true, null);
    if (!text.startsWith("/")) throw new IllegalArgumentException("neither on, off nor a path");
    return new MungeOption(true, Path.of(text));
  }
}
