// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.server.stage.side.StageDirectory;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Files that this server makes at the destination of a stage out, for other servers to look for. A
 * server that has another directory of the same path, such as one on a disk of its own, must not
 * copy into it. Any thread.
 */
final class Proofs implements AutoCloseable {
  /** Each holds a descriptor or two; beyond this number only this server copies. */
  private static final int DIRECTORIES_MAX = 64;

  private static final class Top {
    final StageDirectory directory;
    StageDirectory.@Nullable Draft draft;
    String path = "";

    Top(StageDirectory directory) {
      this.directory = directory;
    }
  }

  private final Supplier<String> draftNames;
  private final Map<String, Top> tops = new HashMap<>();

  Proofs(Supplier<String> draftNames) {
    this.draftNames = draftNames;
  }

  /** Files will be staged below a directory; its path if that can be proven, else null. */
  synchronized @Nullable String below(StageDirectory directory) {
    String path = directory.path();
    if (!tops.containsKey(path)) {
      if (tops.size() == DIRECTORIES_MAX) return null;
      tops.put(path, new Top(directory.hold()));
    }
    return path;
  }

  /** The announced directory that a path is below of, or null. */
  synchronized @Nullable String above(String path) {
    for (String at = path; ; at = at.substring(0, at.lastIndexOf('/'))) {
      if (tops.containsKey(at)) return at;
      if (at.lastIndexOf('/') <= 0) return tops.containsKey("/") ? "/" : null;
    }
  }

  /** The path of the proof for a directory that was announced, or null if it cannot be made. */
  synchronized @Nullable String of(String directory) {
    Top top = tops.get(directory);
    if (top == null) return null;
    try {
      if (top.draft == null) {
        String name = draftNames.get();
        top.draft = top.directory.draft(name);
        top.path = top.directory.pathOf(name);
      }
      return top.path;
    } catch (IOException e) {
      // Copies into it fail here too, and say why.
      return null;
    }
  }

  @Override
  public synchronized void close() {
    for (Top top : tops.values()) {
      try {
        if (top.draft != null) top.draft.close();
      } catch (IOException e) {
        // The next start of the stage removes it.
        top.draft = null;
      }
      top.directory.close();
    }
    tops.clear();
  }
}
