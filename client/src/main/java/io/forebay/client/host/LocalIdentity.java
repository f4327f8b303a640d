// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The user of this process, as the kernel knows it. */
public final class LocalIdentity {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** The user number when the system does not tell it. */
  private static final int NOBODY = 65534;

  private LocalIdentity() {}

  public static Identity current() {
    int user = NOBODY;
    List<Integer> groups = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(STATUS)) {
        List<Integer> numbers = numbers(line);
        // Real, effective, saved and file system id: the last one counts for files.
        if (line.startsWith("Uid:")) user = numbers.get(numbers.size() - 1);
        else if (line.startsWith("Gid:")) groups.add(0, numbers.get(numbers.size() - 1));
        else if (line.startsWith("Groups:")) groups.addAll(numbers);
      }
    } catch (IOException | RuntimeException e) {
      return new Identity(NOBODY, List.of(NOBODY));
    }
    return new Identity(user, groups.stream().distinct().limit(Identity.GROUPS_MAX).toList());
  }

  private static List<Integer> numbers(String line) {
    List<Integer> numbers = new ArrayList<>();
    if (!line.startsWith("Uid:") && !line.startsWith("Gid:") && !line.startsWith("Groups:")) {
      return numbers;
    }
    for (String part : line.substring(line.indexOf(':') + 1).strip().split("\\s+", -1)) {
      if (!part.isEmpty()) numbers.add(Integer.parseUnsignedInt(part));
    }
    return numbers;
  }
}
