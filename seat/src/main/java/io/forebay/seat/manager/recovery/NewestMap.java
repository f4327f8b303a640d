// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.recovery;

import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the map from which a manager that lost its log goes on (P36):
 *
 * <ol>
 *   <li>Of the maps that seats remember, and that of the log, the one with the highest epoch
 *       counts.
 *   <li>A seat of that map that did not answer may have seen a later one, and may have acknowledged
 *       writes by it, which no other seat has. So all seats must have answered.
 *   <li>An operator may go on without servers that he names. What only they hold is lost then.
 * </ol>
 */
public final class NewestMap {
  /** What was found. */
  public sealed interface Found {
    /** No map at all, or maps that contradict each other; nothing can be recovered. */
    record Nothing(String sentence) implements Found {}

    /**
     * The newest map.
     *
     * @param answered the seats of that map that have answered
     * @param missing the others, but for seats that have left
     * @param mayGoOn whether the manager may go on from it
     */
    record Newest(RingMap map, List<SeatEntry> answered, List<SeatEntry> missing, boolean mayGoOn)
        implements Found {
      public Newest {
        answered = List.copyOf(answered);
        missing = List.copyOf(missing);
      }

      /** The servers of seats that are missing. */
      public Set<String> missingServers() {
        Set<String> servers = new TreeSet<>();
        for (SeatEntry seat : missing) servers.add(seat.server());
        return servers;
      }
    }
  }

  private NewestMap() {}

  /**
   * Finds it.
   *
   * @param ofLog the map of the manager's log, as far as it is sound; null for none
   * @param without the names of the servers without which an operator goes on
   */
  public static Found among(
      Collection<SeatAnswer> answers, @Nullable RingMap ofLog, Set<String> without) {
    RingMap newest = ofLog;
    for (SeatAnswer answer : answers) {
      if (newest == null || answer.map().epoch() > newest.epoch()) newest = answer.map();
    }
    if (newest == null) {
      return new Found.Nothing("no seat has answered that remembers a map");
    }
    String contradiction = contradiction(answers, newest);
    if (contradiction != null) return new Found.Nothing(contradiction);
    Set<SeatId> heard = new HashSet<>();
    for (SeatAnswer answer : answers) heard.add(answer.seat());
    List<SeatEntry> answered = new ArrayList<>();
    List<SeatEntry> missing = new ArrayList<>();
    for (SeatEntry seat : newest.seats()) {
      if (heard.contains(seat.id())) answered.add(seat);
      else if (seat.stay() != SeatEntry.Stay.LEFT) missing.add(seat);
    }
    for (String server : without) {
      if (newest.seats().stream().noneMatch(seat -> seat.server().equals(server))) {
        return new Found.Nothing("the newest map has no server '" + server + "'");
      }
    }
    return new Found.Newest(newest, answered, missing, mayGoOn(missing, without));
  }

  /**
   * A manager goes on from a map if each seat of it has told the highest map that it saw, or an
   * operator gives up what that seat alone may hold (P36).
   */
  @Rule("P36")
  private static boolean mayGoOn(List<SeatEntry> missing, Set<String> without) {
    return missing.stream().allMatch(seat -> without.contains(seat.server()));
  }

  private static @Nullable String contradiction(Collection<SeatAnswer> answers, RingMap newest) {
    for (SeatAnswer answer : answers) {
      RingMap map = answer.map();
      if (map.cluster() != newest.cluster()) {
        return "%s belongs to cluster %016x, and others to %016x: name the servers of one cluster"
            .formatted(answer.source(), map.cluster(), newest.cluster());
      }
      boolean other =
          map.epoch() == newest.epoch()
              && !RingMapCodec.write(map).equals(RingMapCodec.write(newest));
      if (other) {
        return "%s has another map of epoch %d than others: two managers have led this cluster"
            .formatted(answer.source(), map.epoch());
      }
    }
    return null;
  }
}
