// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of this machine's users, as {@code /etc/passwd} and {@code /etc/group} have them. A
 * user who is not there has the group of its own number. Any thread.
 */
public final class SystemGroups {
  private static final Logger LOG = LoggerFactory.getLogger(SystemGroups.class);
  private static final Path USERS = Path.of("/etc/passwd");
  private static final Path GROUPS = Path.of("/etc/group");

  // The fields of a line of these files.
  private static final int NAME = 0;
  private static final int NUMBER = 2;
  private static final int GROUP_OF_USER = 3;
  private static final int MEMBERS_OF_GROUP = 3;

  private SystemGroups() {}

  /** A user with all groups. */
  public static Identity identityOf(int user) {
    String number = Integer.toUnsignedString(user);
    String[] line = find(USERS, number);
    if (line == null) return new Identity(user, List.of(user));
    Set<Integer> groups = new LinkedHashSet<>();
    groups.add(Integer.parseUnsignedInt(line[GROUP_OF_USER]));
    for (String[] group : lines(GROUPS)) {
      boolean member = Arrays.asList(group[MEMBERS_OF_GROUP].split(",", -1)).contains(line[NAME]);
      if (member) groups.add(Integer.parseUnsignedInt(group[NUMBER]));
    }
    return new Identity(user, groups.stream().limit(Identity.GROUPS_MAX).toList());
  }

  private static String @Nullable [] find(Path file, String number) {
    for (String[] line : lines(file)) {
      if (line[NUMBER].equals(number)) return line;
    }
    return null;
  }

  private static List<String[]> lines(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > MEMBERS_OF_GROUP)
          .toList();
    } catch (IOException e) {
      LOG.debug("{} cannot be read", file, e);
      return List.of();
    }
  }
}
