// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.location;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stores that a server may use, as its operator named them: directories, and addresses such as
 * {@code s3://bucket/dir?profile=archive}. Addresses below one of them may be used. Settings that
 * choose the remote service or the identity must be the same. Immutable.
 */
public final class BackingRoots {
  public static final int ROOTS_MAX = 16;

  /** No store at all, except the one that keeps nothing. */
  public static final BackingRoots NONE = new BackingRoots(List.of());

  /** Kinds that keep nothing. */
  private static final Set<String> HARMLESS = Set.of("null");

  private static final Set<String> DIRECTORIES = Set.of("posix", "file");

  /** Settings that decide which service is used, and with which credentials. */
  private static final Map<String, Set<String>> DECIDING =
      Map.of(
          "s3", Set.of("endpoint", "region", "profile", "path-style"),
          "hdfs", Set.of("config", "user"));

  private final List<String> texts;
  private final List<Path> directories;
  private final List<BackingLocation> services;

  private BackingRoots(List<String> texts) {
    if (texts.size() > ROOTS_MAX) {
      throw new IllegalArgumentException("at most " + ROOTS_MAX + " roots can be named");
    }
    this.texts = List.copyOf(texts);
    List<Path> paths = new ArrayList<>();
    List<BackingLocation> others = new ArrayList<>();
    for (String text : texts) {
      BackingLocation location = BackingLocation.parse(text);
      location.requireKnown();
      if (location.scheme().equals(BackingLocation.SLOW)) {
        throw new IllegalArgumentException(
            "'%s' is no root: name what lies behind it".formatted(text));
      }
      if (DIRECTORIES.contains(location.scheme())) paths.add(directory(location));
      else others.add(location);
    }
    this.directories = List.copyOf(paths);
    this.services = List.copyOf(others);
  }

  /**
   * The roots of these addresses.
   *
   * @throws IllegalArgumentException with a sentence for people if one is no address
   */
  public static BackingRoots of(List<String> addresses) {
    return new BackingRoots(addresses);
  }

  /** A directory's path as an address has it. */
  public static Path directory(BackingLocation location) {
    String text = location.rest();
    // file://host/dir is a directory of another host; file:///dir and file:/dir are local.
    if (text.startsWith("//")) text = text.substring(2);
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException(
          "'%s' is not a backing directory: give its path from the root on, such as /scratch/out"
              .formatted(location.rest()));
    }
    try {
      return Path.of(text).normalize();
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          "'%s' is not a path: %s".formatted(text, invalid.getReason()), invalid);
    }
  }

  /** Below which directories stores may lie. */
  public List<Path> directories() {
    return directories;
  }

  /** Whether a service may be used. Directories are judged where they are opened, by real paths. */
  boolean allows(BackingLocation location) {
    if (HARMLESS.contains(location.scheme())) return true;
    return services.stream().anyMatch(root -> isBelow(location, root));
  }

  static boolean isDirectory(BackingLocation location) {
    return DIRECTORIES.contains(location.scheme());
  }

  private static boolean isBelow(BackingLocation location, BackingLocation root) {
    if (!location.scheme().equals(root.scheme())) return false;
    for (String key : DECIDING.getOrDefault(root.scheme(), Set.of())) {
      if (!Objects.equals(location.setting(key), root.setting(key))) return false;
    }
    List<String> names = names(location.rest());
    List<String> above = names(root.rest());
    boolean leadsUp = names.contains("..") || names.contains(".");
    // Names that a service decodes itself cannot be compared here.
    boolean encoded = location.rest().indexOf('%') >= 0;
    if (leadsUp || encoded || names.size() < above.size()) return false;
    return names.subList(0, above.size()).equals(above);
  }

  private static List<String> names(String rest) {
    List<String> names = new ArrayList<>();
    for (String name : rest.split("/", -1)) {
      if (!name.isEmpty()) names.add(name);
    }
    return names;
  }

  /** The addresses, for sentences. */
  @Override
  public String toString() {
    return texts.stream().collect(Collectors.joining(" or "));
  }

  public boolean isEmpty() {
    return texts.isEmpty();
  }
}
