// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.mount.fuse.operation.FuseOperations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of nodes that the kernel knows, up to a bound, and the paths of files that were opened
 * last. A path is the one by which a file was found. Any thread.
 */
final class NodeNames {
  /** Further nodes have no name. */
  private static final int NODES_MAX = 1 << 16;

  private static final int PATHS_MAX = 4096;

  /** Deeper files are shown without their first directories. */
  private static final int DEPTH_MAX = 64;

  private record Name(long directory, String name) {}

  private final ConcurrentHashMap<Long, Name> names = new ConcurrentHashMap<>();
  private final Map<Long, String> paths = new LinkedHashMap<>();

  void found(long directory, String name, long node) {
    if (node == FuseOperations.ROOT || names.size() >= NODES_MAX) return;
    Name known = names.get(node);
    if (known != null && known.directory == directory && known.name.equals(name)) return;
    names.put(node, new Name(directory, name));
  }

  void forget(long node) {
    names.remove(node);
  }

  /** Keeps the path of a file beyond its end. */
  void opened(long node) {
    String path = path(node);
    if (path == null) return;
    synchronized (paths) {
      if (paths.size() >= PATHS_MAX) paths.remove(paths.keySet().iterator().next());
      paths.put(node, path);
    }
  }

  /** The path of a file, or a text that says that it is unknown. */
  String of(long node) {
    synchronized (paths) {
      String path = paths.get(node);
      if (path != null) return path;
    }
    String path = path(node);
    return path == null ? "(file " + node + ")" : path;
  }

  private @Nullable String path(long node) {
    StringBuilder path = new StringBuilder();
    long at = node;
    for (int depth = 0; at != FuseOperations.ROOT; depth++) {
      Name name = names.get(at);
      if (name == null || depth == DEPTH_MAX) {
        return path.isEmpty() ? null : path.insert(0, "…").toString();
      }
      path.insert(0, "/" + name.name);
      at = name.directory;
    }
    return path.toString();
  }
}
