// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Visits a node and everything below it: a directory before its entries, entries in the order of
 * their names. It keeps its path on the heap, since clients may nest directories deeper than a
 * thread's stack allows. The tree must not change during the walk.
 */
public final class NodeWalk implements Iterator<Node> {
  private final ArrayDeque<Iterator<Map.Entry<String, Node>>> open = new ArrayDeque<>();
  private final StringBuilder way = new StringBuilder();

  /** The length of {@link #way} before each name in it. */
  private final ArrayDeque<Integer> lengths = new ArrayDeque<>();

  public NodeWalk(Node start) {
    open.push(Collections.singletonMap("", start).entrySet().iterator());
    lengths.push(0);
  }

  @Override
  public boolean hasNext() {
    while (!open.isEmpty() && !open.getFirst().hasNext()) {
      open.pop();
      lengths.pop();
    }
    return !open.isEmpty();
  }

  @Override
  public Node next() {
    if (!hasNext()) throw new NoSuchElementException();
    Map.Entry<String, Node> entry = open.getFirst().next();
    way.setLength(lengths.getFirst());
    boolean start = open.size() == 1;
    if (!start) way.append('/').append(entry.getKey());
    if (entry.getValue() instanceof DirectoryNode directory && !directory.isEmpty()) {
      open.push(directory.entries().entrySet().iterator());
      lengths.push(way.length());
    }
    return entry.getValue();
  }

  /**
   * The way from the start to the node visited last, such as {@code /a/b}, behind a path that leads
   * to the start; {@link DirectoryNode#tooLong} if it is longer than a path can be.
   */
  public String pathFrom(String start) {
    // Each character takes at least a byte: a path that is far too long is not built.
    if (DirectoryNode.isTooLong(start) || start.length() + way.length() > Names.PATH_BYTES_MAX) {
      return DirectoryNode.tooLong(way);
    }
    return DirectoryNode.checked(start + way);
  }

  /** The directories at or below one that has a given path. */
  public static List<Located> directories(DirectoryNode start, String path) {
    List<Located> found = new ArrayList<>();
    NodeWalk walk = new NodeWalk(start);
    while (walk.hasNext()) {
      if (walk.next() instanceof DirectoryNode directory) {
        found.add(new Located(directory, walk.pathFrom(path)));
      }
    }
    return found;
  }

  /** A directory and its path, or the placeholder of a path that is too long. */
  public record Located(DirectoryNode directory, String path) {}
}
