// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What programs did with an instance through one mount or one client.
 *
 * @param instance the address of the instance
 * @param place the directory of a mount, or empty
 * @param process that serves the mount, or is the client
 * @param beganMillis when it began, since 1970
 * @param takenMillis when this was counted
 * @param over whether it has ended
 */
public record Profile(
    String instance,
    String place,
    long process,
    long beganMillis,
    long takenMillis,
    boolean over,
    List<ProgramProfile> programs) {
  public Profile {
    programs = List.copyOf(programs);
  }

  /** The programs of several profiles, those with the most bytes first. */
  public static List<ProgramProfile> together(List<Profile> profiles) {
    List<ProgramProfile> all = new ArrayList<>();
    for (Profile profile : profiles) {
      for (ProgramProfile program : profile.programs) add(program, all);
    }
    all.sort(
        Comparator.comparingLong(ProgramProfile::bytes)
            .thenComparingLong(each -> each.calls().allNanos())
            .reversed());
    return all;
  }

  private static void add(ProgramProfile program, List<ProgramProfile> all) {
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).isSameAs(program)) continue;
      all.set(i, all.get(i).plus(program));
      return;
    }
    all.add(program);
  }
}
