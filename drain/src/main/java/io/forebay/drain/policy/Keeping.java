// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import io.forebay.base.series.Folder;
import io.forebay.base.series.Series;
import io.forebay.base.series.SeriesPattern;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Which files of a tree a {@link KeepPolicy} prefers, and which of those are evicted first if there
 * is nothing else to evict: the checkpoint that was written longest ago. Of a series, the last
 * drained checkpoints count: one that is still being written cannot be evicted, and must not push
 * out the one that a restart would need.
 */
public final class Keeping {
  /** A name while its directory is searched. */
  private sealed interface Child {
    record File(long number, long modifyNanos, boolean clean) implements Child {}

    record Below(Folder folder) implements Child {}
  }

  /** The files of one checkpoint. */
  private static final class Content implements Folder.Visitor {
    final List<Long> files = new ArrayList<>();
    long newestNanos = Long.MIN_VALUE;
    boolean clean = true;

    /** Folders found and not yet looked into. */
    private final ArrayDeque<Folder> folders = new ArrayDeque<>();

    void add(String name, Child child) {
      switch (child) {
        case Child.File file -> file(name, file.number, file.modifyNanos, file.clean);
        case Child.Below below -> folders.add(below.folder);
      }
      // One after the other: they may be nested deeper than the stack is.
      while (true) {
        Folder next = folders.poll();
        if (next == null) return;
        next.visit(this);
      }
    }

    @Override
    public void file(String name, long number, long modifyNanos, boolean isClean) {
      files.add(number);
      newestNanos = Math.max(newestNanos, modifyNanos);
      clean &= isClean;
    }

    @Override
    public void folder(String name, Folder below) {
      folders.add(below);
    }
  }

  private record Located(String path, Folder folder) {}

  /** Longer than any pattern, so that deeper nested names need not be told apart. */
  private static final int PATH_CHARS_MAX = 8 * 1024;

  private final KeepPolicy policy;
  private final ArrayDeque<Located> toLookAt = new ArrayDeque<>();
  private final long sinceNanos;

  /** When the checkpoint of each preferred file was last written; looked up only. */
  private final Map<Long, Long> kept = new HashMap<>();

  private Keeping(KeepPolicy policy, long nowNanos) {
    this.policy = policy;
    this.sinceNanos =
        policy.ageMillis() == 0
            ? Long.MAX_VALUE
            : nowNanos - TimeUnit.MILLISECONDS.toNanos(policy.ageMillis());
  }

  /**
   * Looks through a tree.
   *
   * @param nowNanos in the time of the files
   */
  public static Keeping of(KeepPolicy policy, Folder root, long nowNanos) {
    Keeping keeping = new Keeping(policy, nowNanos);
    if (policy.prefers()) keeping.lookThrough(root);
    return keeping;
  }

  /**
   * Goes through all folders one after the other, without recursion: they may be nested deeper than
   * the stack allows.
   */
  private void lookThrough(Folder root) {
    toLookAt.add(new Located("", root));
    while (true) {
      Located next = toLookAt.poll();
      if (next == null) return;
      look(next.path, next.folder);
    }
  }

  /** Whether the policy prefers the file. */
  public boolean prefers(long file) {
    return kept.containsKey(file);
  }

  /** When the checkpoint of a preferred file was last written. */
  public long writtenNanos(long file) {
    Long nanos = kept.get(file);
    if (nanos == null) throw new IllegalArgumentException("file " + file + " is not preferred");
    return nanos;
  }

  private static Map<String, Child> children(Folder folder) {
    Map<String, Child> children = new TreeMap<>();
    folder.visit(
        new Folder.Visitor() {
          @Override
          public void file(String name, long number, long modifyNanos, boolean clean) {
            children.put(name, new Child.File(number, modifyNanos, clean));
          }

          @Override
          public void folder(String name, Folder below) {
            children.put(name, new Child.Below(below));
          }
        });
    return children;
  }

  private void look(String path, Folder folder) {
    Map<String, Child> children = children(folder);
    Map<String, List<Content>> bySeries = new TreeMap<>();
    for (Series.Checkpoint each : checkpoints(path, children)) {
      Content content = new Content();
      for (String name : each.names()) {
        Child child = children.remove(name);
        if (child != null) content.add(name, child);
      }
      bySeries.computeIfAbsent(each.series(), key -> new ArrayList<>()).add(content);
    }
    bySeries.values().forEach(this::keepLast);
    children.forEach(
        (name, child) -> {
          if (child instanceof Child.Below below) toLookAt.add(locate(path, name, below.folder));
          else if (policy.series().isEmpty()) keepYoung(name, child);
        });
  }

  private static Located locate(String path, String name, Folder folder) {
    boolean lost = path.length() > PATH_CHARS_MAX;
    return new Located(lost ? path : path + "/" + name, folder);
  }

  private List<Series.Checkpoint> checkpoints(String path, Map<String, Child> children) {
    if (!policy.series().isEmpty()) {
      List<SeriesPattern> here =
          policy.series().stream().filter(pattern -> pattern.isIn(path)).toList();
      return here.isEmpty() ? List.of() : Series.of(children.keySet(), here);
    }
    return Series.of(children.keySet()).stream()
        .filter(each -> each.likely() || !holdsSeries(each, children))
        .toList();
  }

  /** A numbered directory such as run_1 is no checkpoint itself if it is full of them. */
  private static boolean holdsSeries(Series.Checkpoint each, Map<String, Child> children) {
    for (String name : each.names()) {
      if (!(children.get(name) instanceof Child.Below below)) continue;
      boolean holds =
          Series.of(children(below.folder).keySet()).stream().anyMatch(Series.Checkpoint::likely);
      if (holds) return true;
    }
    return false;
  }

  /** For the checkpoints of a series, in the order of their numbers. */
  private void keepLast(List<Content> checkpoints) {
    int left = policy.last();
    for (Content each : checkpoints.reversed()) {
      boolean last = each.clean && !each.files.isEmpty() && left > 0;
      if (last) left--;
      if (last || each.newestNanos >= sinceNanos) keep(each);
    }
  }

  private void keepYoung(String name, Child child) {
    Content content = new Content();
    content.add(name, child);
    if (content.newestNanos >= sinceNanos) keep(content);
  }

  private void keep(Content content) {
    for (long file : content.files) kept.put(file, content.newestNanos);
  }
}
