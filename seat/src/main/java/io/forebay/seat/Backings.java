package io.forebay.seat;

import io.forebay.backing.Backing;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The backing stores that a seat has opened, one for each address that an instance names. */
final class Backings {
  private final Seat seat;
  private final BackingSource source;
  private final Map<String, Backing> open = new TreeMap<>();

  /** The same with what is in bundles, for instances that want to see it. */
  private final Map<String, Backing> bundled = new TreeMap<>();

  /** Addresses that cannot be opened, and why. */
  private final Map<String, String> wrong = new TreeMap<>();

  Backings(Seat seat, BackingSource source) {
    this.seat = seat;
    this.source = source;
  }

  /** The store of an instance, or null if it has none or a wrong one. */
  @Nullable Backing of(int instance) {
    Instance known = seat.instance(instance);
    if (known == null || known.drain().isNone()) return null;
    String address = known.drain().backing();
    Backing found = open.get(address);
    if (found != null) return shown(known.drain(), found);
    if (wrong.containsKey(address)) return null;
    try {
      Backing opened = source.open(address);
      open.put(address, opened);
      return shown(known.drain(), opened);
    } catch (IllegalArgumentException e) {
      String sentence = "the backing store of instance " + known.name() + ": " + e.getMessage();
      wrong.put(address, sentence);
      seat.warn(sentence);
      return null;
    }
  }

  private Backing shown(DrainSpec drain, Backing found) {
    boolean bundles = drain.over() || DrainPolicy.of(drain.policy()).bundleBytes() > 0;
    return bundles
        ? bundled.computeIfAbsent(drain.backing(), key -> new BundledBacking(found))
        : found;
  }

  /** Why the store of an instance cannot be used; empty if it can. */
  String problem(int instance) {
    Instance known = seat.instance(instance);
    return known == null ? "" : wrong.getOrDefault(known.drain().backing(), "");
  }

  void poll() {
    for (Backing backing : open.values()) backing.poll();
  }

  void close() {
    for (Backing backing : open.values()) backing.close();
    open.clear();
    bundled.clear();
  }
}
