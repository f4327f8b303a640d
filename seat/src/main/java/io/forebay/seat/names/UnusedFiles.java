// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.FileId;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Files without a name that no session has open. The journal is about to delete them; from then on
 * none of them may be opened, since the session would lose it at once.
 */
final class UnusedFiles {
  /** Tells the journal to forget files of a tree. */
  interface Journal {
    /**
     * Proposes it.
     *
     * @param over runs when it is done, or will not be
     */
    void forget(int instance, int tree, List<Long> files, Runnable over);
  }

  private static final int FORGOTTEN_AT_ONCE = 1000;

  private final Set<FileId> unused = new TreeSet<>();
  private final Set<FileId> forgetting = new HashSet<>();

  void add(FileId file) {
    unused.add(file);
  }

  void remove(FileId file) {
    unused.remove(file);
  }

  boolean isEmpty() {
    return unused.isEmpty();
  }

  /** Whether an answer refers to a file that the journal is about to delete. */
  boolean isBeingForgotten(int instance, Message reply) {
    return reply instanceof Names.NodeIs node
        && forgetting.contains(new FileId(instance, node.attributes().number()));
  }

  void forget(Journal journal) {
    Map<Long, List<FileId>> byTree = new TreeMap<>();
    List<FileId> taken = new ArrayList<>();
    for (FileId file : unused) {
      if (taken.size() == FORGOTTEN_AT_ONCE) break;
      taken.add(file);
      long tree = ((long) file.instance() << Integer.SIZE) | Names.treeOf(file.number());
      byTree.computeIfAbsent(tree, key -> new ArrayList<>()).add(file);
    }
    taken.forEach(unused::remove);
    byTree.forEach(
        (tree, files) -> {
          forgetting.addAll(files);
          journal.forget(
              (int) (tree >>> Integer.SIZE),
              (int) (long) tree,
              files.stream().map(FileId::number).toList(),
              () -> files.forEach(forgetting::remove));
        });
  }
}
