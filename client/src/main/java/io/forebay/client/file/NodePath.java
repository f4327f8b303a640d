// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import io.forebay.client.failure.FileRefusedException;
import io.forebay.wire.message.ErrorCode;

/**
 * How a node is named in a request: a path from a directory, or the number of the node itself.
 *
 * @param directory a node's number; 0 for the root of the tree
 * @param path from there; empty for the node itself
 * @param shown its name in messages
 */
public record NodePath(long directory, String path, String shown) {
  /** A path from the root. Paths are sent without the slash in front. */
  public static NodePath of(String path) {
    int start = 0;
    while (start < path.length() && path.charAt(start) == '/') start++;
    int end = path.length();
    while (end > start && path.charAt(end - 1) == '/') end--;
    return new NodePath(0, path.substring(start, end), path);
  }

  public static NodePath of(long node) {
    return new NodePath(node, "", "node " + node);
  }

  /** One name in a directory, which is not followed as a path would be. */
  public static NodePath of(long directory, String name) throws FileRefusedException {
    String shown = "'" + name + "' in node " + directory;
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new FileRefusedException(shown, ErrorCode.INVALID, "that is no name");
    }
    return new NodePath(directory, name, shown);
  }

  /** The number of the directory, given that of the root. */
  public long from(long root) {
    return directory == 0 ? root : directory;
  }

  /** Whether it is the node's own number, which does not depend on its name. */
  public boolean isNumber() {
    return directory != 0 && path.isEmpty();
  }
}
