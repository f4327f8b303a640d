// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A path of an instance: names with slashes between them, from the root if it begins with one. A
 * relative path is resolved against the root. Immutable.
 */
final class ForebayPath implements Path {
  private static final String SEPARATOR = "/";

  private final ForebayFileSystem fileSystem;
  private final boolean absolute;
  private final List<String> names;

  private ForebayPath(ForebayFileSystem fileSystem, boolean absolute, List<String> names) {
    this.fileSystem = fileSystem;
    this.absolute = absolute;
    this.names = List.copyOf(names);
  }

  /** Reads a path; empty names between slashes do not count. */
  static ForebayPath parse(ForebayFileSystem fileSystem, String text) {
    int nul = text.indexOf('\0');
    if (nul >= 0) throw new InvalidPathException(text, "a NUL character", nul);
    List<String> names = new ArrayList<>();
    for (String name : text.split(SEPARATOR, -1)) {
      if (!name.isEmpty()) names.add(name);
    }
    boolean absolute = text.startsWith(SEPARATOR);
    // The empty path has one name, which is empty.
    if (!absolute && names.isEmpty()) names.add("");
    return new ForebayPath(fileSystem, absolute, names);
  }

  private ForebayPath with(boolean fromRoot, List<String> others) {
    return new ForebayPath(
        fileSystem, fromRoot, !fromRoot && others.isEmpty() ? List.of("") : others);
  }

  /** The path as text, always from the root. */
  String text() {
    return SEPARATOR + String.join(SEPARATOR, isEmpty() ? List.of() : names);
  }

  private boolean isEmpty() {
    return !absolute && names.size() == 1 && names.get(0).isEmpty();
  }

  @Override
  public ForebayFileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return absolute;
  }

  @Override
  public @Nullable Path getRoot() {
    return absolute ? with(true, List.of()) : null;
  }

  @Override
  public @Nullable Path getFileName() {
    if (names.isEmpty()) return null;
    return with(false, names.subList(names.size() - 1, names.size()));
  }

  @Override
  public @Nullable Path getParent() {
    if (names.isEmpty() || (!absolute && names.size() == 1)) return null;
    return with(absolute, names.subList(0, names.size() - 1));
  }

  @Override
  public int getNameCount() {
    return names.size();
  }

  @Override
  public Path getName(int index) {
    return subpath(index, index + 1);
  }

  @Override
  public Path subpath(int from, int to) {
    if (from < 0 || to > names.size() || from >= to) {
      throw new IllegalArgumentException("names " + from + " to " + to + " of " + this);
    }
    return with(false, names.subList(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    if (!(other instanceof ForebayPath that) || !that.isOf(fileSystem)) return false;
    if (that.absolute != absolute || that.names.size() > names.size()) return false;
    if (that.isEmpty()) return isEmpty();
    return names.subList(0, that.names.size()).equals(that.names);
  }

  @Override
  public boolean endsWith(Path other) {
    if (!(other instanceof ForebayPath that) || !that.isOf(fileSystem)) return false;
    if (that.absolute) return equals(that);
    if (that.isEmpty()) return isEmpty();
    int from = names.size() - that.names.size();
    return from >= 0 && names.subList(from, names.size()).equals(that.names);
  }

  @Override
  public Path normalize() {
    List<String> kept = new ArrayList<>();
    for (String name : names) {
      if (name.equals(".") || name.isEmpty()) continue;
      boolean up = name.equals("..");
      boolean droppable = !kept.isEmpty() && !kept.get(kept.size() - 1).equals("..");
      if (!up) kept.add(name);
      else if (droppable) kept.remove(kept.size() - 1);
      else if (!absolute) kept.add(name);
    }
    return with(absolute, kept);
  }

  @Override
  public Path resolve(Path other) {
    ForebayPath that = of(other);
    if (that.absolute || isEmpty()) return that;
    if (that.isEmpty()) return this;
    List<String> all = new ArrayList<>(names);
    all.addAll(that.names);
    return with(absolute, all);
  }

  @Override
  public Path relativize(Path other) {
    ForebayPath that = of(other);
    if (that.absolute != absolute) {
      throw new IllegalArgumentException("one of '" + this + "' and '" + that + "' is relative");
    }
    if (isEmpty()) return that;
    List<String> mine = names;
    List<String> theirs = that.isEmpty() ? List.of() : that.names;
    int common = 0;
    while (common < mine.size()
        && common < theirs.size()
        && mine.get(common).equals(theirs.get(common))) {
      common++;
    }
    List<String> way = new ArrayList<>();
    for (int i = common; i < mine.size(); i++) way.add("..");
    way.addAll(theirs.subList(common, theirs.size()));
    return with(false, way);
  }

  @Override
  public URI toUri() {
    return fileSystem.uriOf(toAbsolutePath().text());
  }

  @Override
  public ForebayPath toAbsolutePath() {
    if (absolute) return this;
    return with(true, isEmpty() ? List.of() : names);
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return fileSystem.realPath(this, !Arrays.asList(options).contains(LinkOption.NOFOLLOW_LINKS));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("an instance cannot be watched");
  }

  @Override
  public Iterator<Path> iterator() {
    List<Path> all = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) all.add(getName(i));
    return all.iterator();
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(of(other).toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ForebayPath that
        && that.isOf(fileSystem)
        && that.absolute == absolute
        && that.names.equals(names);
  }

  @Override
  public int hashCode() {
    return Objects.hash(absolute, names);
  }

  @Override
  public String toString() {
    return (absolute ? SEPARATOR : "") + String.join(SEPARATOR, names);
  }

  private boolean isOf(ForebayFileSystem other) {
    return fileSystem.equals(other);
  }

  /** A path of this provider, which others are not. */
  static ForebayPath of(Path path) {
    if (path instanceof ForebayPath forebay) return forebay;
    throw new ProviderMismatchException("'" + path + "' is a path of another provider");
  }
}
