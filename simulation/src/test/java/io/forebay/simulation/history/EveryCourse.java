// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import io.forebay.base.FileId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a tiny history of one file is possible by trying every course of events: when a
 * writer sees its write, when each publish takes effect, what becomes of each write nobody heard
 * of, and so on. It knows nothing of bounds and orders, so it can tell whether the checker draws
 * the right conclusions.
 */
final class EveryCourse {
  private record Part(Operation write, int from, int to) {}

  private record Step(Operation operation, boolean begin) {}

  /** What has happened so far. */
  private static final class Course {
    int step;
    final long[] content;
    final boolean[] taken;
    final boolean[] overlaid;
    final boolean[] published;
    final boolean[] dropped;
    final boolean[] publishedBy;
    final boolean[] cutBy;
    final boolean[] forgottenBy;
    final boolean[] over;
    final int[] seen;

    Course(int bytes, int parts, int operations) {
      content = new long[bytes];
      taken = new boolean[parts];
      overlaid = new boolean[parts];
      published = new boolean[parts];
      dropped = new boolean[parts];
      publishedBy = new boolean[operations];
      cutBy = new boolean[operations];
      forgottenBy = new boolean[operations];
      over = new boolean[operations];
      seen = new int[operations];
    }

    Course(Course other) {
      step = other.step;
      content = other.content.clone();
      taken = other.taken.clone();
      overlaid = other.overlaid.clone();
      published = other.published.clone();
      dropped = other.dropped.clone();
      publishedBy = other.publishedBy.clone();
      cutBy = other.cutBy.clone();
      forgottenBy = other.forgottenBy.clone();
      over = other.over.clone();
      seen = other.seen.clone();
    }

    String key() {
      return step
          + Arrays.toString(content)
          + Arrays.toString(taken)
          + Arrays.toString(overlaid)
          + Arrays.toString(published)
          + Arrays.toString(dropped)
          + Arrays.toString(publishedBy)
          + Arrays.toString(cutBy)
          + Arrays.toString(forgottenBy)
          + Arrays.toString(over)
          + Arrays.toString(seen);
    }
  }

  private final List<Operation> operations;
  private final List<Step> steps = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final int bytes;

  private EveryCourse(History history, int bytes) {
    this.operations = history.operations();
    this.bytes = bytes;
    Step[] byPosition = new Step[2 * operations.size()];
    for (Operation operation : operations) {
      byPosition[operation.begun()] = new Step(operation, true);
      if (operation.ending() != null) byPosition[operation.ended()] = new Step(operation, false);
      if (operation.action() instanceof Action.Write write) addParts(operation, write);
    }
    for (Step step : byPosition) {
      if (step != null) steps.add(step);
    }
  }

  private void addParts(Operation operation, Action.Write write) {
    for (long at = write.offset(); at < write.endOffset(); ) {
      long record = write.recordBytes() - at % write.recordBytes();
      long end = at + Math.min(write.endOffset() - at, record);
      parts.add(new Part(operation, (int) at, (int) end));
      at = end;
    }
  }

  /** Whether a history of the file 1:1 alone, which is so long, can have been. */
  static boolean isPossible(History history, int bytes) {
    for (Operation operation : history.operations()) {
      if (operation.action() instanceof Action.OnFile onFile
          && !onFile.file().equals(new FileId(1, 1))) {
        throw new IllegalArgumentException("another file in " + operation);
      }
    }
    return new EveryCourse(history, bytes).isPossible();
  }

  private boolean isPossible() {
    Set<String> known = new HashSet<>();
    ArrayDeque<Course> open = new ArrayDeque<>();
    open.add(new Course(bytes, parts.size(), operations.size()));
    while (!open.isEmpty()) {
      Course course = open.removeLast();
      look(course);
      if (course.step == steps.size()) return true;
      if (!known.add(course.key())) continue;
      addChoices(course, open);
      Course next = new Course(course);
      if (take(next, steps.get(next.step++))) open.add(next);
    }
    return false;
  }

  /** All that may or may not happen now. */
  private void addChoices(Course course, ArrayDeque<Course> open) {
    for (int p = 0; p < parts.size(); p++) {
      Operation write = parts.get(p).write();
      if (!isBegun(course, write)) continue;
      if (!course.taken[p]) {
        Course next = new Course(course);
        takeIn(next, p);
        open.add(next);
      }
      if (!write.isDone() && !course.published[p] && !course.dropped[p]) {
        Course next = new Course(course);
        drop(next, p);
        open.add(next);
      }
    }
    for (Operation operation : operations) {
      if (!isBegun(course, operation) || !isSync(operation)) continue;
      int o = operation.number();
      boolean truncates = operation.action() instanceof Action.Truncate;
      boolean over = course.over[operation.client()];
      if (!course.publishedBy[o] && !over && (truncates || !operation.isRefused())) {
        Course next = new Course(course);
        publish(next, operation);
        open.add(next);
      }
      if (course.publishedBy[o]) {
        Course next = new Course(course);
        if (uncover(next, operation)) open.add(next);
      }
      if (truncates
          && course.publishedBy[o]
          && !course.cutBy[o]
          && !over
          && !operation.isRefused()) {
        Course next = new Course(course);
        cut(next, operation);
        open.add(next);
      }
      boolean mayForget = operation.action() instanceof Action.Close && !operation.isDone();
      if (mayForget && !course.forgottenBy[o]) {
        Course next = new Course(course);
        forget(next, operation);
        open.add(next);
      }
    }
  }

  /** What must happen now; false if it cannot. */
  private boolean take(Course course, Step step) {
    Operation operation = step.operation();
    boolean done = operation.isDone();
    int o = operation.number();
    if (step.begin()) return true;
    switch (operation.action()) {
      case Action.Write write -> {
        for (int p = 0; p < parts.size(); p++) {
          if (!parts.get(p).write().equals(operation)) continue;
          takeIn(course, p);
          if (operation.isRefused()) drop(course, p);
        }
      }
      case Action.Read read -> {
        return !(operation.ending() instanceof Ending.Saw)
            || course.seen[o] == (1 << read.lengthBytes()) - 1;
      }
      case Action.EndSession end -> {
        if (done) course.over[operation.client()] = true;
      }
      case Action.Truncate truncate -> {
        if (done && !course.cutBy[o]) return false;
        if (done) uncover(course, operation);
      }
      case Action.Close close -> {
        if (done && !course.publishedBy[o]) return false;
        if (done) uncover(course, operation);
        else forget(course, operation);
      }
      default -> {
        if (done && !course.publishedBy[o]) return false;
        if (done) uncover(course, operation);
      }
    }
    return true;
  }

  private boolean isBegun(Course course, Operation operation) {
    for (int i = 0; i < course.step; i++) {
      if (steps.get(i).begin() && steps.get(i).operation().equals(operation)) return true;
    }
    return false;
  }

  private static boolean isSync(Operation operation) {
    return operation.action() instanceof Action.Publish
        || operation.action() instanceof Action.Close
        || operation.action() instanceof Action.Truncate;
  }

  /** From now on the writer sees it, unless it was published or dropped before. */
  private static void takeIn(Course course, int part) {
    if (!course.taken[part]) course.overlaid[part] = !course.dropped[part];
    course.taken[part] = true;
  }

  private static void drop(Course course, int part) {
    course.dropped[part] = true;
    course.overlaid[part] = false;
  }

  private boolean isBefore(int part, Operation sync) {
    Operation write = parts.get(part).write();
    return write.client() == sync.client() && write.begun() < sync.begun();
  }

  private void publish(Course course, Operation sync) {
    course.publishedBy[sync.number()] = true;
    for (int p = 0; p < parts.size(); p++) {
      boolean lost = course.dropped[p] || parts.get(p).write().isRefused();
      if (!isBefore(p, sync) || lost || course.published[p]) continue;
      if (isForgotten(course, p, sync)) continue;
      course.published[p] = true;
      Part part = parts.get(p);
      long value = ((Action.Write) part.write().action()).value();
      Arrays.fill(course.content, part.from(), part.to(), value);
    }
  }

  /** Whether a close that came between forgot it. */
  private boolean isForgotten(Course course, int part, Operation sync) {
    for (Operation close : operations) {
      if (course.forgottenBy[close.number()]
          && isBefore(part, close)
          && close.begun() < sync.begun()
          && close.client() == sync.client()) {
        return true;
      }
    }
    return false;
  }

  private boolean uncover(Course course, Operation sync) {
    boolean any = false;
    for (int p = 0; p < parts.size(); p++) {
      if (isBefore(p, sync) && course.published[p] && (course.overlaid[p] || !course.taken[p])) {
        course.taken[p] = true;
        course.overlaid[p] = false;
        any = true;
      }
    }
    return any;
  }

  private static void cut(Course course, Operation operation) {
    course.cutBy[operation.number()] = true;
    int size = (int) ((Action.Truncate) operation.action()).sizeBytes();
    Arrays.fill(course.content, size, course.content.length, Run.ZEROS);
  }

  private void forget(Course course, Operation close) {
    course.forgottenBy[close.number()] = true;
    for (int p = 0; p < parts.size(); p++) {
      if (isBefore(p, close)) {
        course.taken[p] = true;
        course.overlaid[p] = false;
      }
    }
  }

  /** Every read that is under way takes what it can: waiting longer never helps. */
  private void look(Course course) {
    for (Operation operation : operations) {
      if (!(operation.action() instanceof Action.Read read)
          || !(operation.ending() instanceof Ending.Saw(List<Run> runs))
          || !isBegun(course, operation)) {
        continue;
      }
      for (int i = 0; i < read.lengthBytes(); i++) {
        long at = read.offset() + i;
        long wanted = Run.ZEROS;
        for (Run run : runs) {
          if (run.offset() <= at && at < run.endOffset()) wanted = run.value();
        }
        if (visible(course, operation.client(), (int) at) == wanted) {
          course.seen[operation.number()] |= 1 << i;
        }
      }
    }
  }

  private long visible(Course course, int client, int at) {
    for (int p = parts.size() - 1; p >= 0; p--) {
      Part part = parts.get(p);
      if (course.overlaid[p]
          && part.write().client() == client
          && part.from() <= at
          && at < part.to()) {
        return ((Action.Write) part.write().action()).value();
      }
    }
    return course.content[at];
  }
}
