// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.order.Turns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The seats whose groups may take new records of an instance, in the order of the ring. Immutable;
 * any thread.
 */
final class Candidates {
  private final List<SeatEntry> seats;
  private final Map<SeatId, SeatEntry> byId = new HashMap<>();
  private final int copies;
  private final Map<SeatId, Integer> granules = new HashMap<>();

  private Candidates(List<SeatEntry> seats, Instance instance) {
    this.seats = List.copyOf(seats);
    this.copies = instance.copies();
    for (Allocation.Share share : instance.allocation().shares()) {
      granules.put(share.seat(), share.granules());
    }
    for (SeatEntry seat : seats) byId.put(seat.id(), seat);
  }

  /**
   * The instance's seats without those whose group cannot acknowledge now, because its home lacks
   * data. If no group can, all of them: the client waits for any.
   */
  static Candidates of(Instance instance, RingMap map) {
    Set<SeatId> wanted = new HashSet<>(instance.seats());
    List<SeatEntry> all = new ArrayList<>();
    List<SeatEntry> serving = new ArrayList<>();
    for (SeatEntry seat : map.seats()) {
      if (!wanted.contains(seat.id())) continue;
      Group group = map.group(GroupId.of(seat.id(), instance.copies()));
      if (group == null) continue;
      all.add(seat);
      if (group.members().get(0).current()) serving.add(seat);
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "the map of epoch " + map.epoch() + " has no group for instance " + instance.name());
    }
    return new Candidates(serving.isEmpty() ? all : serving, instance);
  }

  List<SeatEntry> seats() {
    return seats;
  }

  /**
   * A seat's part of the records, relative to the others: its granules if it has been dealt any.
   */
  int weight(SeatEntry seat) {
    return granules.isEmpty() ? seat.weight() : granules.getOrDefault(seat.id(), 1);
  }

  /** The places of the seats in turn, each as often as it has granules. */
  int[] turns() {
    int[] weights = new int[seats.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = granules.getOrDefault(seats.get(i).id(), 1);
    }
    return Turns.inProportion(weights);
  }

  private GroupId group(int index) {
    return group(seats.get(index).id());
  }

  GroupId group(SeatId seat) {
    return GroupId.of(seat, copies);
  }

  /** The group to try after a number of others: those behind a first place, going round. */
  GroupId group(int first, int attempt) {
    if (attempt == 0) return group(first);
    List<SeatId> order = new ArrayList<>(seats.size());
    for (int i = 0; i < seats.size(); i++) order.add(seats.get((first + i) % seats.size()).id());
    return group(alternate(order, attempt));
  }

  /**
   * The seat to try after a number of others: one of each server first, then a second of each, and
   * so on, so that a server that is gone costs one attempt. Begins again when all were tried.
   */
  SeatId alternate(List<SeatId> order, int attempt) {
    Map<String, Integer> tried = new HashMap<>();
    List<List<SeatId>> rounds = new ArrayList<>();
    for (SeatId seat : order) {
      int round = tried.merge(server(seat), 1, Integer::sum) - 1;
      if (round == rounds.size()) rounds.add(new ArrayList<>());
      rounds.get(round).add(seat);
    }
    int rest = Math.floorMod(attempt, order.size());
    for (List<SeatId> round : rounds) {
      if (rest < round.size()) return round.get(rest);
      rest -= round.size();
    }
    throw new IllegalStateException("attempt " + attempt + " among " + order.size() + " seats");
  }

  private String server(SeatId seat) {
    SeatEntry entry = byId.get(seat);
    if (entry == null) throw new IllegalStateException(seat + " is no candidate");
    return entry.server();
  }
}
