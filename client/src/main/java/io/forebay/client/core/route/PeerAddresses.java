// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.Handler;
import io.forebay.wire.UnreachedManagers;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The addresses of a peer: which one is dialled next, and why the last try at each failed. */
final class PeerAddresses {
  /** Refusals in a row after which another process is tried. */
  private static final int REFUSALS_MAX = 3;

  /** With other processes to try, a silent one is not waited for long. */
  private static final long SEPARATE_DIAL_NANOS = 1_000_000_000L;

  private List<Address> all;

  /** Whether each address is that of another process. */
  private boolean separate;

  /** Whether the connected process says that it leads the others: its refusals pass. */
  private boolean leads;

  private int refusals;
  private int index;
  private Address last;

  /** Dialled once before the others. */
  private @Nullable Address preferred;

  private String lastReason = "not connected yet";

  /** Why the last try at each address failed, and at which trying again is of little use. */
  private final Map<Address, String> reasons = new LinkedHashMap<>();

  private final Set<Address> hopeless = new LinkedHashSet<>();
  private final UnreachedManagers unreached;

  PeerAddresses(List<Address> addresses, MonotonicClock clock) {
    this.all = List.copyOf(addresses);
    this.unreached = new UnreachedManagers(clock);
    this.last = addresses.get(0);
  }

  /** Takes other addresses; returns whether they differ. */
  boolean moveTo(List<Address> places) {
    if (places.equals(all)) return false;
    all = List.copyOf(places);
    index = 0;
    reasons.clear();
    hopeless.clear();
    return true;
  }

  /**
   * At each of these is another process that may serve instead.
   *
   * @param leads whether the connected one leads them
   */
  void servedBy(List<Address> places, boolean leads) {
    separate = true;
    this.leads = leads;
    if (places.equals(all)) return;
    all = List.copyOf(places);
    index %= all.size();
  }

  /**
   * Whether the connected process has refused everything for now several times in a row, so that
   * another one has its turn: it may be cut off from the others.
   */
  boolean isUseless(Message answer) {
    boolean refuses =
        answer instanceof Replies.Failed failed && failed.code() == ErrorCode.UNAVAILABLE;
    refusals = refuses && !leads ? refusals + 1 : 0;
    if (!separate || refusals < REFUSALS_MAX) return false;
    refusals = 0;
    index = unreached.next(all, all.indexOf(last) + 1);
    return !all.get(index).equals(last);
  }

  /**
   * The peer that is connected names another one to dial instead, which need not be in the list;
   * false if it is the connected one itself, or one that could not be reached a moment ago.
   */
  boolean prefer(Address place) {
    if (place.equals(last) || unreached.has(place)) return false;
    preferred = place;
    return true;
  }

  /** How long one address is dialled at first. */
  long dialNanos(long usualNanos) {
    return separate && all.size() > 1 ? Math.min(usualNanos, SEPARATE_DIAL_NANOS) : usualNanos;
  }

  int count() {
    return all.size();
  }

  /** The address to dial now. */
  Address next() {
    Address named = preferred;
    preferred = null;
    leads = false;
    if (separate) index = unreached.next(all, index);
    last = named == null ? all.get(index) : named;
    return last;
  }

  /** The one that was dialled last. */
  Address last() {
    return last;
  }

  void connected() {
    lastReason = "connected";
    unreached.reached(last);
    reasons.clear();
    hopeless.clear();
  }

  /**
   * A connection, or an attempt at one, has ended; after an attempt the next address has its turn.
   */
  void lost(String reason, boolean wasOpen) {
    lastReason = reason;
    hopeless.remove(last);
    // One that named another to go to has not failed, even if it was not ready yet.
    if (wasOpen || preferred != null) return;
    reasons.put(last, reason);
    unreached.failed(last);
    index = (index + 1) % all.size();
  }

  /** Trying the last one again is of little use. */
  void unreachable() {
    hopeless.add(last);
  }

  /** Whether trying them all again is of little use. */
  boolean areHopeless() {
    return hopeless.containsAll(all);
  }

  String lastReason() {
    return lastReason;
  }

  /** The last one and the result, for messages to users. */
  String describe() {
    return describe(last, lastReason);
  }

  /** Each manager that could not be reached, with the reason, and what to do. */
  String describeManagers() {
    boolean none = reasons.values().stream().allMatch(each -> each.endsWith(Handler.NO_LISTENER));
    String all =
        reasons.isEmpty()
            ? describe()
            : reasons.entrySet().stream()
                .map(each -> describe(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    return all
        + (none
            ? "; start one with 'forebay up' or check the address"
            : "; check the address and what listens there");
  }

  private static String describe(Address address, String why) {
    String at = address.toString();
    String reason = why;
    // The network's reason names the address as well; once is enough.
    int named = reason.indexOf(at + ": ");
    if (named >= 0) reason = reason.substring(named + at.length() + 2);
    return at + ": " + reason;
  }
}
