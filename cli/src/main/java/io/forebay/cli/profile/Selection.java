// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.profile;

import io.forebay.client.ForebayUri;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProgramProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What of the profiles is shown: those of an instance, of a process, or of a directory or file. */
final class Selection {
  private Selection() {}

  /**
   * The programs that a word chooses, of all profiles together.
   *
   * @param which a process, the name of an instance, or a path in or on a mount; empty for all
   */
  static List<ProgramProfile> of(String which, List<Profile> profiles) {
    if (which.isEmpty()) return Profile.together(profiles);
    if (which.chars().allMatch(Character::isDigit)) return ofProcess(which, profiles);
    List<ProgramProfile> named = ofInstance(which, profiles);
    return named.isEmpty() ? ofPath(Path.of(which), profiles) : named;
  }

  private static List<ProgramProfile> ofProcess(String which, List<Profile> profiles) {
    List<Profile> served = new ArrayList<>();
    for (Profile profile : profiles) {
      if (Long.toString(profile.process()).equals(which)) served.add(profile);
    }
    if (!served.isEmpty()) return Profile.together(served);
    List<ProgramProfile> found = new ArrayList<>();
    for (ProgramProfile program : Profile.together(profiles)) {
      boolean runs =
          program.processes().stream().anyMatch(each -> Integer.toString(each).equals(which));
      if (runs) found.add(program);
    }
    return found;
  }

  private static List<ProgramProfile> ofInstance(String name, List<Profile> profiles) {
    List<Profile> found = new ArrayList<>();
    for (Profile profile : profiles) {
      boolean named = profile.instance().equals(name) || instance(profile).equals(name);
      if (named) found.add(profile);
    }
    return Profile.together(found);
  }

  private static String instance(Profile profile) {
    try {
      return ForebayUri.parse(profile.instance()).instance();
    } catch (IllegalArgumentException none) {
      return "";
    }
  }

  /** Of a mount's directory all that it saw, and of another path in it that file alone. */
  private static List<ProgramProfile> ofPath(Path given, List<Profile> profiles) {
    Path path = given.toAbsolutePath().normalize();
    List<Profile> found = new ArrayList<>();
    for (Profile profile : profiles) {
      if (profile.place().isEmpty()) continue;
      Path place = Path.of(profile.place());
      if (path.equals(place)) found.add(profile);
      else if (path.startsWith(place)) found.add(narrowed(profile, "/" + place.relativize(path)));
    }
    return Profile.together(found);
  }

  private static Profile narrowed(Profile profile, String path) {
    List<ProgramProfile> programs = new ArrayList<>();
    for (ProgramProfile program : profile.programs()) {
      for (FileProfile file : program.files()) {
        if (file.path().equals(path)) programs.add(narrowed(program, file));
      }
    }
    return new Profile(
        profile.instance(),
        profile.place(),
        profile.process(),
        profile.beganMillis(),
        profile.takenMillis(),
        profile.over(),
        programs);
  }

  private static ProgramProfile narrowed(ProgramProfile program, FileProfile file) {
    return new ProgramProfile(
        program.instance(),
        program.user(),
        program.program(),
        ProgramProfile.union(file.writers(), file.readers()),
        program.stripeBytes(),
        file.reads(),
        file.writes(),
        file.calls(),
        1,
        List.of(file));
  }
}
