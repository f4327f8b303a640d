// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder in which the mounts and clients of a user keep their profiles, so that those that have
 * ended can be shown too: a file for each, the {@link #KEPT_MAX} newest, readable by that user.
 */
public final class ProfileFolder {
  /** The environment can name another folder. */
  public static final String VARIABLE = "FOREBAY_PROFILE_DIR";

  public static final int KEPT_MAX = 64;

  /** A file that is longer is none of ours. */
  private static final int BYTES_MAX = 64 << 20;

  private static final String FOR_ROOT = "/run/forebay/profiles";
  private static final String BELOW_RUNTIME = "forebay/profiles";
  private static final String SUFFIX = ".profile";

  private final Path folder;

  public ProfileFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * The usual one of this user: what {@link #VARIABLE} says; /run/forebay/profiles for root; below
   * XDG_RUNTIME_DIR, or else ~/.local/state, for others.
   */
  public static ProfileFolder usual(Map<String, String> environment) {
    String given = environment.getOrDefault(VARIABLE, "");
    if (!given.isEmpty()) return new ProfileFolder(Path.of(given));
    String user = System.getProperty("user.name");
    if ("root".equals(user)) return new ProfileFolder(Path.of(FOR_ROOT));
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (!runtime.isEmpty()) return new ProfileFolder(Path.of(runtime, BELOW_RUNTIME));
    return new ProfileFolder(
        Path.of(System.getProperty("user.home"), ".local/state", BELOW_RUNTIME));
  }

  public Path path() {
    return folder;
  }

  /** Where a profile is kept. */
  public Path file(Profile profile) {
    // A process may have several mounts that begin at once.
    return folder.resolve(
        "%d-%d-%x%s"
            .formatted(
                profile.process(),
                profile.beganMillis(),
                (profile.place() + " " + profile.instance()).hashCode(),
                SUFFIX));
  }

  /** Writes a profile in place of an older one of the same mount or client. */
  public void keep(Profile profile) throws IOException {
    Files.createDirectories(folder, mode("rwx------"));
    Path file = file(profile);
    Path draft = Files.createTempFile(folder, "draft", ".tmp", mode("rw-------"));
    try {
      Files.write(draft, ProfileBytes.write(profile).array());
      Files.setLastModifiedTime(draft, FileTime.fromMillis(profile.takenMillis()));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
    removeOldest();
  }

  private static FileAttribute<?> mode(String rights) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights));
  }

  private void removeOldest() throws IOException {
    record Aged(Path file, FileTime changed) {}
    List<Aged> all = new ArrayList<>();
    for (Path file : files()) {
      try {
        all.add(new Aged(file, Files.getLastModifiedTime(file)));
      } catch (NoSuchFileException gone) {
        // Removed by another process meanwhile.
      }
    }
    all.sort(Comparator.comparing(Aged::changed).reversed());
    for (int i = KEPT_MAX; i < all.size(); i++) Files.deleteIfExists(all.get(i).file);
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path entry : entries) files.add(entry);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
    return files;
  }

  /** All that are there, the oldest first; files that are none are left out. */
  public List<Profile> all() throws IOException {
    List<Profile> profiles = new ArrayList<>();
    for (Path file : files()) read(file).ifPresent(profiles::add);
    profiles.sort(Comparator.comparingLong(Profile::beganMillis));
    return profiles;
  }

  /** The profile in a file; empty if there is none that this user and this version can read. */
  public static Optional<Profile> read(Path file) throws IOException {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > BYTES_MAX) return Optional.empty();
      return Optional.of(ProfileBytes.read(ByteBuffer.wrap(Files.readAllBytes(file))));
    } catch (NoSuchFileException | AccessDeniedException | ProfileBytes.NoProfile none) {
      return Optional.empty();
    }
  }
}
