// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.simulation.audit.Problem;
import io.forebay.simulation.history.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files that users put whole, and the checks on them. No user removes or changes one, so a name
 * has the same content from the first acknowledgement on.
 *
 * <ol>
 *   <li>At most one put of a name is acknowledged (I3).
 *   <li>A reader that finds the name sees all bytes of one put that was not refused (I1).
 *   <li>Once a put is acknowledged, each reader finds its name with its bytes (P5).
 * </ol>
 */
public final class PutFiles {
  private enum State {
    BEGUN,
    ACKNOWLEDGED,
    REFUSED
  }

  private static final class Put {
    final String name;
    final int lengthBytes;
    State state = State.BEGUN;

    Put(String name, int lengthBytes) {
      this.name = name;
      this.lengthBytes = lengthBytes;
    }
  }

  private final Map<Long, Put> byValue = new TreeMap<>();
  private final Map<String, Long> acknowledged = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();

  /** A user begins to put a file. */
  void begun(String name, long value, int lengthBytes) {
    byValue.put(value, new Put(name, lengthBytes));
  }

  void acknowledged(long value) {
    Put put = put(value);
    put.state = State.ACKNOWLEDGED;
    Long before = acknowledged.putIfAbsent(put.name, value);
    if (before != null) problem("I3", put.name + " was put twice, as " + before + " and " + value);
  }

  /** The name was taken. */
  void refused(long value) {
    put(value).state = State.REFUSED;
  }

  private Put put(long value) {
    Put put = byValue.get(value);
    if (put == null) throw new IllegalStateException("value " + value + " was never put");
    return put;
  }

  /** The names that every reader finds from now on. */
  List<String> names() {
    return List.copyOf(acknowledged.keySet());
  }

  /** The acknowledged value of a name, which a read that begins now has to see, or null. */
  @Nullable Long due(String name) {
    return acknowledged.get(name);
  }

  /** A reader found no such name; the value that was due when it began. */
  void sawNothing(String name, @Nullable Long due) {
    if (due != null) problem("P5", name + " is gone, which was put as " + due);
  }

  /** A reader saw these bytes under a name; the value that was due when it began. */
  void saw(String name, List<Run> runs, @Nullable Long due) {
    long value = runs.isEmpty() ? Run.ZEROS : runs.getFirst().value();
    Put put = byValue.get(value);
    boolean whole =
        put != null && runs.size() == 1 && runs.getFirst().lengthBytes() == put.lengthBytes;
    if (put == null || !whole || !put.name.equals(name)) {
      problem("I1", name + " is not what one user put there: " + runs);
    } else if (put.state == State.REFUSED) {
      problem("I3", name + " has value " + value + ", whose put was refused");
    } else if (due != null && due != value) {
      problem("P5", name + " has value " + value + ", but " + due + " was acknowledged");
    }
  }

  private void problem(String rule, String sentence) {
    problems.add(new Problem(rule, sentence));
  }

  /** What broke a rule. */
  public List<Problem> problems() {
    return problems;
  }

  /** How many puts were acknowledged. */
  public int count() {
    return acknowledged.size();
  }
}
