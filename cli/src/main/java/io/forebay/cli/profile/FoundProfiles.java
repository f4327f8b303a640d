// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.profile;

import io.forebay.cli.mount.MountAttribute;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.fuse.Mounts;
import io.forebay.mount.profile.MountProfile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The profiles that this user may read: those of the mounts on this machine as of now, and those
 * that mounts and clients of this user have left.
 *
 * @param silent mounts without a profile, that do not answer, or whose profile is another user's
 */
record FoundProfiles(List<Profile> profiles, List<Path> silent) {
  private static final String PREFIX = "user.";

  static FoundProfiles find(ProfileFolder folder) throws IOException {
    List<Path> silent = new ArrayList<>();
    List<Profile> live = new ArrayList<>();
    for (Mounts.Mount mount : Mounts.below(Path.of("/"))) {
      if (!ForebayMount.TYPES.contains(mount.type())) continue;
      Optional<Profile> profile = ask(mount.directory());
      profile.ifPresentOrElse(live::add, () -> silent.add(mount.directory()));
    }
    // The folder is read afterwards: the mounts have just written there.
    List<Profile> all = new ArrayList<>(folder.all());
    for (Profile profile : live) if (!has(all, profile)) all.add(profile);
    return new FoundProfiles(all, silent);
  }

  /** Whether a profile of the same mount is there. */
  private static boolean has(List<Profile> profiles, Profile profile) {
    return profiles.stream()
        .anyMatch(
            each ->
                each.process() == profile.process()
                    && each.beganMillis() == profile.beganMillis()
                    && each.place().equals(profile.place()));
  }

  private static Optional<Profile> ask(Path mountPoint) throws IOException {
    String attribute = MountProfile.ATTRIBUTE.substring(PREFIX.length());
    String file = MountAttribute.of(mountPoint, attribute);
    if (file.isEmpty()) return Optional.empty();
    try {
      return ProfileFolder.read(Path.of(file));
    } catch (InvalidPathException none) {
      return Optional.empty();
    }
  }
}
