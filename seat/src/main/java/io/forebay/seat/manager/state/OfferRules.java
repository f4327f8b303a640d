// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.wire.Address;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import org.jspecify.annotations.Nullable;

/** Checks of a seat's registration. Pure. */
public final class OfferRules {
  static final int NAME_CHARS_MAX = 255;
  static final int ADDRESSES_MAX = 16;

  /** Longer than any host's name with a port, or any path of a socket. */
  static final int ADDRESS_CHARS_MAX = 300;

  static final int WEIGHT_MAX = 1_000_000;

  /** Bounded so that no sum of them overflows. */
  static final long TIER_BYTES_MAX = 1L << 50;

  private OfferRules() {}

  /** Why the seat cannot be taken, or null. */
  public static Result.@Nullable Refused check(Maps.Init init) {
    Maps.SeatOffer seat = init.seat();
    if (badName(init.server())) {
      return invalid("'" + shown(init.server()) + "' is no name of a server");
    }
    if (badName(init.host())) return invalid("'" + shown(init.host()) + "' is no name of a host");
    String who = "a seat of server '" + init.server() + "' ";
    if (init.serverSeats() < 1) return invalid(who + "says that there are no seats");
    if (seat.weight() < 1 || seat.weight() > WEIGHT_MAX) {
      return invalid(who + "has weight " + seat.weight() + ", not 1 to " + WEIGHT_MAX);
    }
    if (badSize(seat.memoryBytes()) || badSize(seat.ssdBytes())) {
      return invalid(who + "offers " + seat.memoryBytes() + " and " + seat.ssdBytes() + " bytes");
    }
    boolean keeps = !badSize(seat.keepsBytes()) && !badSize(seat.forcedBytes());
    if (!keeps || seat.keepsBytes() > seat.memoryBytes() + seat.ssdBytes()) {
      return invalid(who + "keeps " + seat.keepsBytes() + " and " + seat.forcedBytes() + " bytes");
    }
    if (!InstanceRules.isName(seat.pool())) {
      return invalid(who + "is of pool '" + shown(seat.pool()) + "', which is no name of a pool");
    }
    if (seat.addresses().isEmpty() || seat.addresses().size() > ADDRESSES_MAX) {
      return invalid(who + "has " + seat.addresses().size() + " addresses");
    }
    for (String address : seat.addresses()) {
      if (address.length() <= ADDRESS_CHARS_MAX) continue;
      return invalid(who + "has an address of " + address.length() + " characters");
    }
    try {
      for (String address : seat.addresses()) Address.parse(address);
    } catch (IllegalArgumentException e) {
      return invalid(who + "has an address that is none: " + e.getMessage());
    }
    return null;
  }

  /** A name that may be of any length, for people. */
  public static String shown(String name) {
    return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX) + "…";
  }

  private static boolean badName(String name) {
    return name.isBlank() || name.length() > NAME_CHARS_MAX;
  }

  private static boolean badSize(long bytes) {
    return bytes < 0 || bytes > TIER_BYTES_MAX;
  }

  private static Result.Refused invalid(String sentence) {
    return new Result.Refused(ErrorCode.INVALID, sentence);
  }

  /** Who offers, for messages. */
  public static String nameOf(Maps.Init init) {
    return "a seat of server '" + shown(init.server()) + "'";
  }
}
