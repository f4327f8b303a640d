// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory. Its entries are in the order of {@link String#compareTo}, which is that of UTF-16
 * units; a listing that continues after a name relies on it.
 */
public final class DirectoryNode extends Node {
  private static final int PATH_BYTES_MAX = Names.PATH_BYTES_MAX;
  private static final String TOO_LONG = "…";
  private static final int SHOWN_CHARS = 200;

  /** Most directories of a deep tree have few entries, and many have none. */
  private @Nullable TreeMap<String, Node> entries;

  private @Nullable DirectoryNode parent;
  private String name = "";
  private int subdirectories;

  public DirectoryNode(long number) {
    super(number);
  }

  /** The directory above, or this one if it is a root. */
  public DirectoryNode parent() {
    return parent == null ? this : parent;
  }

  public boolean isEmpty() {
    return entries == null || entries.isEmpty();
  }

  public @Nullable Node get(String name) {
    return entries == null ? null : entries.get(name);
  }

  public NavigableMap<String, Node> entries() {
    return entries == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(entries);
  }

  /** Gives a node a name here; any previous node of that name must have been removed. */
  public void put(String name, Node node) {
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
  public void remove(String name) {
    Node node = entries == null ? null : entries.remove(name);
    if (node == null) throw new IllegalStateException("no '" + name + "' in " + number());
    if (node instanceof DirectoryNode) subdirectories--;
    // It may have another name, which only a search would find.
    if (node instanceof FileNode file) file.parent = null;
  }

  /**
   * The way here from the root, which is itself empty; {@link #tooLong} if no path can be as long.
   */
  public String path() {
    ArrayDeque<String> names = new ArrayDeque<>();
    int bytes = 0;
    for (DirectoryNode at = this; at.parent != null && bytes <= PATH_BYTES_MAX; at = at.parent) {
      names.push(at.name);
      bytes += 1 + NameRules.utf8Bytes(at.name);
    }
    StringBuilder path = new StringBuilder(bytes);
    for (String each : names) path.append('/').append(each);
    return bytes <= PATH_BYTES_MAX ? path.toString() : tooLong(path);
  }

  /**
   * The placeholder for a path that is too long for any request: its last part, for messages. It
   * has no leading slash, so that it equals no path.
   */
  static String tooLong(CharSequence path) {
    int from = Math.max(0, path.length() - SHOWN_CHARS);
    return TOO_LONG + path.subSequence(from, path.length());
  }

  /** Whether this is the placeholder of a path that is too long. */
  public static boolean isTooLong(String path) {
    return path.startsWith(TOO_LONG);
  }

  /** A path with a name behind it; {@link #tooLong} if it is longer than paths can be. */
  public static String join(String path, String name) {
    String joined = path + '/' + name;
    return isTooLong(path) ? tooLong(joined) : checked(joined);
  }

  /** The path itself, or its placeholder if it is too long. */
  static String checked(String path) {
    return NameRules.utf8Bytes(path) <= PATH_BYTES_MAX ? path : tooLong(path);
  }

  /** Whether this directory is the other one or lies above it. */
  public boolean contains(DirectoryNode other) {
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
  public long sizeBytes() {
    return entries == null ? 0 : entries.size();
  }
}
