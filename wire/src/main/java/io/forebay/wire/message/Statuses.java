// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/** What seats and the manager report to operators. */
public interface Statuses {
  record GetStatus() implements Message {}

  /**
   * One group that a seat is a member of.
   *
   * @param role {@code home} or {@code member}
   * @param state a word for people: {@code serving}, {@code starting}, {@code waiting}
   * @param leaseNanos how long the home's leases last; 0 for none
   * @param repairBytes what members that are brought up to date shall have; 0 if there are none
   * @param repairedBytes how much of that they are known to have
   * @param usableLast up to which index its journal has no gap, if no member is current; else 0
   * @param usableEpoch the epoch of that entry; 0 if there is none
   */
  record GroupStatus(
      GroupId group,
      long epoch,
      String role,
      String state,
      long journalFirst,
      long journalLast,
      long leaseNanos,
      int sessions,
      int putsUnderWay,
      long repairBytes,
      long repairedBytes,
      long usableLast,
      long usableEpoch) {}

  /**
   * A tier of a seat's log.
   *
   * @param totalBytes its budget
   * @param missingBytes how much of the budget there is no room for
   * @param anonymousBytes how much of it dies with the process
   */
  record Tier(long usedBytes, long totalBytes, long missingBytes, long anonymousBytes) {}

  /**
   * Counted since the seat started.
   *
   * @param redirected records redirected to other groups
   * @param corrupt records found not to match their checksums
   * @param repaired corrupt records that were replaced by a copy
   * @param lost corrupt records that no other seat can deliver at present
   * @param scrubbedBytes bytes verified by the checksum scan, without a reader
   * @param drainWrites successful writes to backing stores
   * @param drainedBytes bytes of these writes
   * @param shuffleBytes the peak of memory used to gather bytes from other seats for drains
   * @param ssdBytes bytes written to the SSD, by spill and compaction too
   * @param swept records that a sweep found dead and deleted: the seat had not been told that they
   *     were
   */
  record Counters(
      long puts,
      long putBytes,
      long copies,
      long copyBytes,
      long gets,
      long getBytes,
      long nameOps,
      long refused,
      long redirected,
      long swept,
      long corrupt,
      long repaired,
      long lost,
      long scrubbedBytes,
      long drainWrites,
      long drainedBytes,
      long shuffleBytes,
      long ssdBytes) {}

  /** How often peers have reached a limit, by its name. */
  record LimitCount(String limit, long reached) {}

  /** Stands for the seat of a log that the ring has given no place. */
  SeatId NO_PLACE = new SeatId(-1);

  /**
   * A seat as it is now.
   *
   * @param seat {@link #NO_PLACE} if the ring has given its log none
   * @param state a word for people on its room: {@code ok}, {@code redirecting to seat 3}, {@code
   *     spilling}, {@code full: waiting for room}
   * @param pressure why writers have to wait, or nothing
   * @param limits how often peers have reached its limits
   * @param insecure whether it believes every program that reaches it
   */
  record SeatStatus(
      SeatId seat,
      long incarnation,
      long ringEpoch,
      long upNanos,
      Tier memory,
      Tier ssd,
      long records,
      long liveBytes,
      int clients,
      String state,
      String pressure,
      Counters counters,
      List<GroupStatus> groups,
      List<LimitCount> limits,
      boolean insecure)
      implements Message {
    /** Whether its log is that of a seat in the ring. */
    public boolean hasPlace() {
      return !seat.equals(NO_PLACE);
    }
  }

  /** A seat that the manager knows: how long ago it reported. */
  record SeatSeen(SeatId seat, long silentNanos, long ringEpoch) {}

  /**
   * One of the managers of a cluster.
   *
   * @param incarnation drawn for its directory; empty for a manager that is alone
   * @param address where clients reach it; empty if unknown
   * @param behind how many entries of their log it lacks; -1 if the asked manager does not know
   * @param silentNanos how long ago it answered the leader; -1 if the asked manager does not know
   */
  record ManagerSeen(
      String name,
      String incarnation,
      String address,
      boolean leads,
      long behind,
      long silentNanos) {}

  /**
   * A manager as it is now.
   *
   * @param managers all of the cluster, this one among them; none while it waits to be added
   * @param insecure whether it believes every program that reaches it
   * @param refused servers that want to join and may not, and why, as sentences
   */
  record ManagerStatus(
      String state,
      List<ManagerSeen> managers,
      long ringEpoch,
      long term,
      int expected,
      int arrived,
      List<SeatSeen> seats,
      List<LimitCount> limits,
      boolean insecure,
      List<String> refused)
      implements Message {}
}
