// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.recovery;

import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.recovery.NewestMap;
import io.forebay.seat.manager.recovery.SeatAnswer;
import io.forebay.seat.manager.state.ManagerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a recovery has found, as an operator sees it. */
public final class RecoveryView {
  /**
   * A seat of the newest map, or one that it lacks.
   *
   * @param seat null for one that the map lacks
   * @param source where its map was found; null for one that is missing
   * @param epoch of that map; 0 for none
   */
  public record Row(@Nullable SeatEntry seat, @Nullable String source, long epoch) {}

  /** A map from which the manager may go on. */
  public static final class Newest {
    private final NewestMap.Found.Newest found;
    private final List<SeatAnswer> answers;

    private Newest(NewestMap.Found.Newest found, List<SeatAnswer> answers) {
      this.found = found;
      this.answers = answers;
    }

    public RingMap map() {
      return found.map();
    }

    public boolean mayGoOn() {
      return found.mayGoOn();
    }

    /** The servers of seats that are missing. */
    public Set<String> missingServers() {
      return found.missingServers();
    }

    /** Those that are missing, and then those that have answered. */
    public List<Row> rows() {
      List<Row> rows = new ArrayList<>();
      for (SeatEntry seat : found.missing()) rows.add(new Row(seat, null, 0));
      for (SeatAnswer answer : answers) {
        SeatEntry seat = found.map().seat(answer.seat());
        rows.add(new Row(seat, answer.source(), answer.map().epoch()));
      }
      return rows;
    }
  }

  private final ManagerRecovery.Report report;

  RecoveryView(ManagerRecovery.Report report) {
    this.report = report;
  }

  /** How much of the manager's log can be read. */
  public String log() {
    ManagerState state = report.log().state();
    String problem = report.log().problem();
    String text = state.cluster() == 0 ? "nothing" : "up to epoch " + state.epoch();
    return text + (problem.isEmpty() ? "" : " (" + problem + ")");
  }

  /** Why servers gave no map, by their addresses or directories. */
  public Map<String, String> problems() {
    return report.problems();
  }

  /** Null if there is none, or none that counts. */
  public @Nullable Newest newest() {
    return report.found() instanceof NewestMap.Found.Newest found
        ? new Newest(found, report.answers())
        : null;
  }

  /** Why there is none; empty if there is one. */
  public String nothing() {
    return report.found() instanceof NewestMap.Found.Nothing none ? none.sentence() : "";
  }
}
