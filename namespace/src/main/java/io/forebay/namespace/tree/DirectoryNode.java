package io.forebay.namespace.tree;

import io.forebay.wire.message.Names;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory. Its entries are in the order of {@link String#compareTo}, which is that of UTF-16
 * units; a listing that goes on behind a name relies on it.
 */
final class DirectoryNode extends Node {
  /** Most directories of a deep tree have few entries, and many have none. */
  private @Nullable TreeMap<String, Node> entries;

  private @Nullable DirectoryNode parent;
  private String name = "";
  private int subdirectories;

  DirectoryNode(long number) {
    super(number);
  }

  /** The directory above, or this one if it is a root. */
  DirectoryNode parent() {
    return parent == null ? this : parent;
  }

  boolean isEmpty() {
    return entries == null || entries.isEmpty();
  }

  @Nullable Node get(String name) {
    return entries == null ? null : entries.get(name);
  }

  NavigableMap<String, Node> entries() {
    return entries == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(entries);
  }

  /** Gives a node a name here; whatever had the name must have been taken out before. */
  void put(String name, Node node) {
    if (entries == null) entries = new TreeMap<>();
    if (entries.putIfAbsent(name, node) != null) {
      throw new IllegalStateException("'" + name + "' is taken in directory " + number());
    }
    if (node instanceof DirectoryNode directory) {
      directory.parent = this;
      directory.name = name;
      subdirectories++;
    } else if (node instanceof FileNode file) {
      file.parent = this;
      file.name = name;
    }
  }

  /** Takes a name out. */
  void remove(String name) {
    Node node = entries == null ? null : entries.remove(name);
    if (node == null) throw new IllegalStateException("no '" + name + "' in " + number());
    if (node instanceof DirectoryNode) subdirectories--;
    // It may have another name, which only a search would find.
    if (node instanceof FileNode file) file.parent = null;
  }

  /** The way here from the root, which is itself empty. */
  String path() {
    StringBuilder path = new StringBuilder();
    for (DirectoryNode at = this; at.parent != null; at = at.parent) {
      path.insert(0, at.name).insert(0, '/');
    }
    return path.toString();
  }

  /** Whether this directory is the other one or lies above it. */
  boolean contains(DirectoryNode other) {
    DirectoryNode at = other;
    while (at != this && at.parent != null) at = at.parent;
    return at == this;
  }

  @Override
  Names.Kind kind() {
    return Names.Kind.DIRECTORY;
  }

  /** Its name and its own {@code .}, and the {@code ..} of each directory in it. */
  @Override
  int links() {
    return 2 + subdirectories;
  }

  /** How many names it has. */
  @Override
  long sizeBytes() {
    return entries == null ? 0 : entries.size();
  }
}
