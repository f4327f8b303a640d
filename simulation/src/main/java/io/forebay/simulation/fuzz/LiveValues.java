// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fuzz;

import io.forebay.wire.message.Names;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Values that exist in the fuzzed cluster, by the name of the component that they are for. Any
 * thread.
 */
public final class LiveValues {
  /** The number of latest values kept per name. */
  private static final int KEPT_MAX = 64;

  /** Nodes that answers named. */
  private static final String FOUND = "found";

  /** Components that hold the same kind of value. */
  private static final Map<String, String> SAME =
      Map.of(
          "treeGroup", "group",
          "rootGroup", "group",
          "newDirectory", "file",
          "directory", "file",
          "node", "file",
          "haveEpoch", "ringEpoch",
          "knownEpoch", "ringEpoch",
          "to", "seat",
          "home", "seat");

  private final Map<String, List<Object>> values = new HashMap<>();

  private static String kindOf(String component) {
    return SAME.getOrDefault(component, component);
  }

  /** Adds a live value for components of that name. */
  public synchronized void add(String component, Object value) {
    List<Object> known = values.computeIfAbsent(kindOf(component), key -> new ArrayList<>());
    if (known.contains(value)) return;
    if (known.size() == KEPT_MAX) known.remove(0);
    known.add(value);
  }

  /** Removes all values of that name. */
  public synchronized void clear(String component) {
    values.remove(kindOf(component));
  }

  /** One of them that fits, or null. */
  synchronized @Nullable Object any(String component, Class<?> type, SplittableRandom random) {
    String kind = kindOf(component);
    boolean found = kind.equals("file") && values.containsKey(FOUND) && random.nextInt(3) > 0;
    List<Object> known = values.get(found ? FOUND : kind);
    if (known == null || known.isEmpty()) return null;
    Object value = known.get(random.nextInt(known.size()));
    return boxed(type).isInstance(value) ? value : null;
  }

  private static Class<?> boxed(Class<?> type) {
    if (type == int.class) return Integer.class;
    if (type == long.class) return Long.class;
    return type;
  }

  /** Takes numbers of nodes and records out of an answer. */
  public void harvest(Record answer) {
    for (RecordComponent component : answer.getClass().getRecordComponents()) {
      Object value;
      try {
        value = component.getAccessor().invoke(answer);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(answer.getClass() + " cannot be read", e);
      }
      if (value instanceof Record inner) harvest(inner);
      boolean ofNode = answer instanceof Names.Attributes && component.getName().equals("number");
      boolean node = ofNode || component.getName().equals("file");
      if (node && value instanceof Long) add(FOUND, value);
    }
  }
}
