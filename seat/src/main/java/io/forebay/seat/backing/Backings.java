// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Backing;
import io.forebay.base.Timers;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The backing stores that a seat has opened: one for each address and owner, since a store is used
 * with the rights of the instance's owner.
 */
public final class Backings {
  /** The maximum number of concurrent looks at stores, since one that hangs holds threads. */
  private static final int LOOKS_MAX = 8;

  private final MapView maps;
  private final SeatEvents events;
  private final Timers timers;
  private final SeatLatencies latencies;
  private final BackingSource source;
  private final Map<String, Backing> open = new TreeMap<>();

  /** The same including the contents of packs, for instances that need them. */
  private final Map<String, Backing> packed = new TreeMap<>();

  /** Stores that cannot be opened, and why. */
  private final Map<String, String> wrong = new TreeMap<>();

  private final List<Look> looks = new ArrayList<>();

  public Backings(Basics basics, BackingSource source) {
    this.maps = basics.maps();
    this.events = basics.events();
    this.timers = basics.timers();
    this.latencies = basics.counters().latencies();
    this.source = source;
  }

  /** The store of an instance, or null if it has none or a wrong one. */
  public @Nullable Backing of(int instance) {
    Instance known = maps.instance(instance);
    if (known == null || known.drain().isNone()) return null;
    String key = keyOf(known);
    Backing found = open.get(key);
    if (found != null) return shown(known.drain(), key, found);
    if (wrong.containsKey(key)) return null;
    try {
      Backing opened =
          new MeasuredBacking(
              source.open(known.drain().backing(), ownerOf(known)), timers, latencies);
      open.put(key, opened);
      return shown(known.drain(), key, opened);
    } catch (IllegalArgumentException e) {
      String sentence = "the backing store of instance " + known.name() + ": " + e.getMessage();
      wrong.put(key, sentence);
      events.warned(sentence);
      return null;
    }
  }

  private static Identity ownerOf(Instance instance) {
    return new Identity(instance.owner(), List.of(instance.group()));
  }

  private static String keyOf(Instance instance) {
    return instance.owner() + ":" + instance.group() + ":" + instance.drain().backing();
  }

  private Backing shown(DrainSpec drain, String key, Backing found) {
    boolean packs = drain.over() || DrainPolicy.of(drain.policy()).packBytes() > 0;
    return packs ? packed.computeIfAbsent(key, any -> new PackedBacking(found)) : found;
  }

  /** Why the store of an instance cannot be used; empty if it can. */
  public String problem(int instance) {
    Instance known = maps.instance(instance);
    return known == null ? "" : wrong.getOrDefault(keyOf(known), "");
  }

  /** Looks at a store that an instance is to have, with the rights of its maker. */
  public void check(Drains.CheckBacking message, Consumer<Message> answer) {
    if (looks.size() >= LOOKS_MAX) {
      answer.accept(new Replies.Failed(ErrorCode.BUSY, "this seat looks at other stores just now"));
      return;
    }
    try {
      Look look = new Look(source.open(message.address(), message.who()));
      looks.add(look);
      look.backing.check(
          result -> {
            look.done = true;
            answer.accept(new Drains.BackingIs(problemOf(result)));
          });
    } catch (IllegalArgumentException e) {
      answer.accept(new Drains.BackingIs(String.valueOf(e.getMessage())));
    }
  }

  private static String problemOf(Backing.Answer<?> result) {
    return result instanceof Backing.Answer.Failed<?> failed ? failed.failure().sentence() : "";
  }

  /** The remedy for a full seat, as part of a sentence. */
  public String howToMakeRoom() {
    RingMap map = maps.map();
    boolean drained =
        map != null && map.instances().stream().anyMatch(each -> !each.drain().isNone());
    return drained
        ? "delete some, or let 'forebay ledger' tell why more is not drained"
        : "delete some";
  }

  /** Calls of stores that are not answered yet. */
  public int pending() {
    int all = 0;
    for (Backing backing : open.values()) all += backing.pending();
    return all;
  }

  /** Stores that cannot be opened. */
  public int unusable() {
    return wrong.size();
  }

  public void poll() {
    for (Backing backing : open.values()) backing.poll();
    for (Look look : looks) look.backing.poll();
    looks.removeIf(Look::closeIfDone);
  }

  /** A store that is open only to be looked at. One that hangs stays until it answers. */
  private static final class Look {
    final Backing backing;
    boolean done;

    Look(Backing backing) {
      this.backing = backing;
    }

    boolean closeIfDone() {
      if (done) backing.close();
      return done;
    }
  }

  public void close() {
    for (Backing backing : open.values()) backing.close();
    for (Look look : looks) look.backing.close();
    looks.clear();
    open.clear();
    packed.clear();
  }
}
