// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/**
 * The times on which seats and their manager depend together: leases, the detection of silent
 * seats, retries and answers. All processes of a cluster use {@link #DEFAULT}; a lease, for
 * example, is safe only if the home and the member that granted it count the same length. Each
 * record checks the relations that must hold. Times that pace the work of one class alone, such as
 * a scrub, stand in that class.
 *
 * @param tickNanos how often a seat looks at what is due; shorter than every interval that is
 *     checked at a tick, such as the renewal of leases
 */
public record ProtocolTimes(
    long tickNanos, Lease lease, Silence silence, Manager manager, Requests requests) {
  /**
   * Leases of homes (P13).
   *
   * @param lengthNanos how long a lease lasts, counted at the home from when it asked for it and at
   *     the grantor from when it granted it
   * @param marginNanos how much longer the grantor waits before it enters a newer epoch, for clocks
   *     that run at different speeds; a tenth of the length at least
   * @param renewNanos how often a home renews its leases; two renewals in a row may be lost before
   *     a lease ends
   */
  public record Lease(long lengthNanos, long marginNanos, long renewNanos) {
    public Lease {
      require(renewNanos > 0 && 3 * renewNanos < lengthNanos, "a lease outlives two lost renewals");
      require(10 * marginNanos >= lengthNanos, "the margin is a tenth of a lease at least");
    }

    /** How long a grantor keeps its promise, counted from when it granted the lease. */
    public long promiseNanos() {
      return lengthNanos + marginNanos;
    }
  }

  /**
   * How seats watch their neighbours on the ring (P14).
   *
   * @param lookNanos how often a seat looks which neighbours are due for a ping
   * @param pingNanos how often a neighbour is pinged
   * @param refusedNanos after which silence a neighbour is suspected that takes no connection;
   *     longer than a ping's interval
   * @param silentNanos the same for one that takes connections; two pings fit into it
   * @param probeNanos within which time another seat, asked whether it hears the suspect, answers;
   *     shorter than the silence that is suspicious
   * @param probeAgainNanos how often that seat retries within this time
   * @param suspectNanos how often the manager is told of a neighbour that stays silent
   */
  public record Silence(
      long lookNanos,
      long pingNanos,
      long refusedNanos,
      long silentNanos,
      long probeNanos,
      long probeAgainNanos,
      long suspectNanos) {
    public Silence {
      require(lookNanos > 0 && lookNanos < pingNanos, "a seat looks more often than it pings");
      require(pingNanos < refusedNanos, "a ping is due before its lack is suspicious");
      require(refusedNanos < silentNanos, "a refused connection is suspicious earlier");
      require(2 * pingNanos <= silentNanos, "two pings are sent before silence is suspicious");
      require(probeNanos < silentNanos, "a probe is answered before its target is suspected");
      require(probeAgainNanos > 0 && probeAgainNanos < probeNanos, "a probe has several tries");
      require(suspectNanos > 0, "the manager is told again later");
    }
  }

  /**
   * Seats and their manager.
   *
   * @param reportNanos how often a seat reports to the manager
   * @param silentNanos a seat whose reports are missing for longer is silent for the manager;
   *     longer than the interval of reports
   * @param startingNanos how long a manager that has started waits for seats that it has not heard
   *     of; longer than a silence
   * @param takeoverNanos the same for a manager that takes over from another: the seats are there,
   *     and need only find it
   * @param confirmedNanos how long a manager of several may grant leases after a majority of them
   *     has confirmed that it leads; a later leader waits for that time too (P34). Shorter than the
   *     interval of reports
   * @param settlingNanos how long a seat that came back is not taken out of its groups again;
   *     longer than a silence
   * @param dialNanosMin the first pause before a seat dials the next manager, or asks again one
   *     that refused it; doubled each time
   * @param dialNanosMax the longest pause
   * @param unmanagedNanos how long a seat has no manager before operators are told; longer than the
   *     interval of reports, since a manager may be started again
   * @param unmanagedAgainNanos how often they are told
   */
  public record Manager(
      long reportNanos,
      long silentNanos,
      long startingNanos,
      long takeoverNanos,
      long confirmedNanos,
      long settlingNanos,
      long dialNanosMin,
      long dialNanosMax,
      long unmanagedNanos,
      long unmanagedAgainNanos) {
    public Manager {
      require(reportNanos > 0 && reportNanos < silentNanos, "a report is due within a silence");
      require(silentNanos < startingNanos, "a manager that starts waits longer than a silence");
      require(silentNanos < takeoverNanos, "seats find another manager within a silence");
      require(confirmedNanos > 0 && confirmedNanos < reportNanos, "a confirmation is short");
      require(silentNanos < settlingNanos, "a seat that is back settles longer than a silence");
      require(dialNanosMin > 0 && dialNanosMin <= dialNanosMax, "pauses between dials grow");
      require(reportNanos < unmanagedNanos, "a manager has time to start again");
      require(unmanagedAgainNanos > 0, "operators are told again later");
    }
  }

  /**
   * Requests between seats, and what is sent again.
   *
   * @param answerNanos how long an answer is waited for that needs no backing store
   * @param unsentNanos when the asker learns that its question could not be sent; shorter than an
   *     answer takes, and not at once, so that a retry does not spin
   * @param dialNanosMin the first pause before a lost connection to another seat is dialled again;
   *     doubled each time
   * @param dialNanosMax the longest pause
   * @param fetchMapNanos how often the manager is asked for a newer map at most
   * @param heldNanos how long a message or a payload of an epoch that the seat has not entered
   *     waits; long enough for several fetches of the map
   * @param startNanos how often a home that starts asks its members for their journals
   * @param resendNanos after which time without an answer entries of a journal are sent again
   * @param redriveNanos after which time without confirmations a record is sent along again
   * @param refusedNanos the same after a member had no room for it; shorter
   * @param slowNanos how long a member may confirm nothing before the home asks to continue without
   *     it (P8); entries are sent again at least twice before
   */
  public record Requests(
      long answerNanos,
      long unsentNanos,
      long dialNanosMin,
      long dialNanosMax,
      long fetchMapNanos,
      long heldNanos,
      long startNanos,
      long resendNanos,
      long redriveNanos,
      long refusedNanos,
      long slowNanos) {
    public Requests {
      require(unsentNanos > 0 && unsentNanos < answerNanos, "what is not sent fails earlier");
      require(dialNanosMin > 0 && dialNanosMin <= dialNanosMax, "pauses between dials grow");
      require(fetchMapNanos > 0 && 2 * fetchMapNanos < heldNanos, "held messages outlast a fetch");
      require(startNanos > 0, "members are asked again later");
      require(resendNanos > 0 && 2 * resendNanos < slowNanos, "a slow member got entries again");
      require(refusedNanos > 0 && refusedNanos < redriveNanos, "a refusal is retried earlier");
    }
  }

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  /** Those of every cluster. */
  public static final ProtocolTimes DEFAULT =
      new ProtocolTimes(
          20 * MILLISECOND,
          new Lease(2 * SECOND, 200 * MILLISECOND, 500 * MILLISECOND),
          new Silence(
              100 * MILLISECOND,
              500 * MILLISECOND,
              700 * MILLISECOND,
              1500 * MILLISECOND,
              500 * MILLISECOND,
              50 * MILLISECOND,
              SECOND),
          new Manager(
              SECOND,
              1500 * MILLISECOND,
              10 * SECOND,
              4 * SECOND,
              500 * MILLISECOND,
              5 * SECOND,
              100 * MILLISECOND,
              2 * SECOND,
              3 * SECOND,
              5 * SECOND),
          new Requests(
              2 * SECOND,
              20 * MILLISECOND,
              50 * MILLISECOND,
              2 * SECOND,
              100 * MILLISECOND,
              2 * SECOND,
              500 * MILLISECOND,
              SECOND,
              5 * SECOND,
              500 * MILLISECOND,
              5 * SECOND));

  public ProtocolTimes {
    require(tickNanos > 0 && tickNanos < lease.renewNanos(), "ticks renew leases in time");
    require(tickNanos < silence.lookNanos(), "a tick is shorter than a look at neighbours");
  }

  private static void require(boolean holds, String relation) {
    if (!holds) throw new IllegalArgumentException("protocol times must be such that " + relation);
  }
}
