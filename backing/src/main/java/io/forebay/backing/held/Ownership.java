// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** The owner of a node of the file system, and the rights of others. */
public record Ownership(int mode, int user, int group) {
  private static final String WANTED = "unix:mode,uid,gid";

  public static Ownership of(Path path, LinkOption... options) throws IOException {
    Map<String, Object> told = Files.readAttributes(path, WANTED, options);
    return new Ownership(number(told, "mode"), number(told, "uid"), number(told, "gid"));
  }

  private static int number(Map<String, Object> told, String name) {
    if (told.get(name) instanceof Integer number) return number;
    throw new IllegalStateException("no " + name + " in " + told);
  }
}
