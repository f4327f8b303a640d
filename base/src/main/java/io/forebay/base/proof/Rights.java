// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import java.util.ArrayList;
import java.util.List;

/** What a capability allows, as bits. */
public final class Rights {
  public static final int READ = 1;
  public static final int WRITE = 1 << 1;

  /** Destroy, resize, protect, stage. */
  public static final int ADMINISTER = 1 << 2;

  /** Ask how the cluster and the instance are. */
  public static final int OBSERVE = 1 << 3;

  /**
   * Act for other users than that of the capability, root excepted: the mounts of a node serve all
   * its users.
   */
  public static final int ANY_USER = 1 << 4;

  /** Act as root, where the capability also allows to act for that user. */
  public static final int ROOT = 1 << 5;

  private static final List<String> NAMES =
      List.of("read", "write", "administer", "observe", "act for any user", "act as root");

  private Rights() {}

  /** For messages to people. */
  public static String describe(int rights) {
    List<String> named = new ArrayList<>();
    for (int bit = 0; bit < NAMES.size(); bit++) {
      if ((rights & (1 << bit)) != 0) named.add(NAMES.get(bit));
    }
    return named.isEmpty() ? "nothing" : String.join(", ", named);
  }
}
