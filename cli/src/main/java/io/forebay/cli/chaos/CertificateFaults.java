// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.MonotonicClock;
import io.forebay.client.Cluster;
import io.forebay.client.enrol.Enroller;
import io.forebay.server.audit.AuditLine;
import io.forebay.server.audit.AuditSource;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.OpenSockets;
import io.forebay.server.ring.RingCertificates;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Faults of the certificates of a ring's processes: a revoked server, one whose certificate expires
 * while it is stopped, and renewals that come due while the manager is away. One thread.
 */
final class CertificateFaults {
  /** How long a fault lasts beyond what it waits for. */
  interface Away {
    void pass() throws InterruptedException;
  }

  private static final long LOOK_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The manager goes this long before a certificate is due. */
  private static final Duration BEFORE_DUE = Duration.ofSeconds(1);

  /** The manager stays away for this part of the time in which a due certificate is renewed. */
  private static final int AWAY_PART = 8;

  /**
   * With less time than this, the manager is stopped instead of killed: it takes seconds to start,
   * and servers whose certificates expire meanwhile need tokens.
   */
  private static final Duration KILL_MIN = Duration.ofSeconds(20);

  /** The same, as a multiple of the longest start of the manager: a busy machine takes longer. */
  private static final int KILL_STARTS_MIN = 5;

  private static final String NEEDS_TOKEN = "give another token";

  private final LocalRing ring;
  private final RingCertificates certificates;
  private final Away away;
  private final MonotonicClock clock = MonotonicClock.system();
  private final List<Double> outSeconds = new ArrayList<>();

  CertificateFaults(LocalRing ring, RingCertificates certificates, Away away) {
    this.ring = ring;
    this.certificates = certificates;
    this.away = away;
  }

  /**
   * Revokes the certificate of a server, and measures how long it takes until the server is out:
   * the map calls it away, and every connection that it had with other processes is closed. Then it
   * enrols again.
   */
  void revoke(String server) throws IOException, InterruptedException {
    try (Cluster cluster = ring.connect()) {
      OpenSockets before = ring.connectionsOf(server);
      certificates.revoke(server);
      long startNanos = clock.nanos();
      while (before.stillOpen() > 0 || !isAway(cluster, server)) {
        pause(startNanos, server + " is revoked and still in the ring");
      }
      outSeconds.add((clock.nanos() - startNanos) / 1e9);
    }
    away.pass();
    ring.kill(server);
    ring.comeBackEnrolled(server);
  }

  private static boolean isAway(Cluster cluster, String server) throws IOException {
    return cluster.map().seats().stream()
        .filter(seat -> seat.server().equals(server))
        .allMatch(seat -> seat.away());
  }

  private Instant expiryOf(String server) throws IOException {
    return certificates.of(server).getNotAfter().toInstant();
  }

  /**
   * Stops the server whose certificate expires first until it has expired: the server starts only
   * with another token.
   */
  void expire(List<String> servers) throws IOException, InterruptedException {
    String server = servers.getFirst();
    for (String each : servers) {
      if (expiryOf(each).isBefore(expiryOf(server))) server = each;
    }
    ring.kill(server);
    sleepUntil(expiryOf(server).plusMillis(1));
    String log = ring.failToComeBack(server);
    if (!log.contains(NEEDS_TOKEN)) {
      throw new IOException(
          "the certificate of %s has expired, and its log does not say '%s': %s"
              .formatted(server, NEEDS_TOKEN, log));
    }
    ring.comeBackEnrolled(server);
  }

  /** The manager is away when the next certificate of a server comes due. */
  void renewWithoutManager(List<String> servers) throws IOException, InterruptedException {
    String first = servers.getFirst();
    Instant due = Instant.MAX;
    for (String each : servers) {
      Instant dueAt = Enroller.dueAt(certificates.of(each));
      boolean next = dueAt.isAfter(Instant.now().plus(BEFORE_DUE)) && dueAt.isBefore(due);
      if (!next) continue;
      first = each;
      due = dueAt;
    }
    if (due.equals(Instant.MAX)) due = Instant.now().plus(BEFORE_DUE);
    X509Certificate present = certificates.of(first);
    BigInteger serial = present.getSerialNumber();
    Duration left = Duration.between(due, present.getNotAfter().toInstant());
    Duration starts = ring.longestManagerStart().multipliedBy(KILL_STARTS_MIN);
    boolean kills = left.compareTo(KILL_MIN) >= 0 && left.compareTo(starts) >= 0;
    sleepUntil(due.minus(BEFORE_DUE));
    if (kills) ring.kill(LocalRing.MANAGER);
    else ring.pause(LocalRing.MANAGER);
    sleepUntil(due.plus(left.dividedBy(AWAY_PART)));
    if (kills) ring.startManager();
    else ring.resume(LocalRing.MANAGER);
    long startNanos = clock.nanos();
    while (certificates.of(first).getSerialNumber().equals(serial)) {
      requireValid(List.of(first));
      pause(startNanos, "the certificate of " + first + " is not renewed");
    }
  }

  private void pause(long startNanos, String what) throws IOException, InterruptedException {
    if (clock.nanos() - startNanos > PATIENCE.toNanos()) {
      throw new IOException(what + " after " + PATIENCE.toSeconds() + " s");
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
  }

  private static void sleepUntil(Instant then) throws InterruptedException {
    Duration left = Duration.between(Instant.now(), then);
    if (left.isPositive()) TimeUnit.NANOSECONDS.sleep(left.toNanos());
  }

  /** Fails if the certificate of a server has expired although it runs. */
  void requireValid(List<String> servers) throws IOException {
    for (String each : servers) {
      X509Certificate present = certificates.of(each);
      if (Instant.now().isBefore(present.getNotAfter().toInstant())) continue;
      throw new IOException(
          "the certificate of %s expired at %s, and was not renewed; the manager takes %s s to start, so give a longer --certificate-lifetime if that is much of a third of it"
              .formatted(
                  each, present.getNotAfter().toInstant(), ring.longestManagerStart().toSeconds()));
    }
  }

  /** What the audit logs of all managers tell of the run, but for directories that were lost. */
  Chaos.CertificateReport report() throws IOException {
    int issued = 0;
    int renewed = 0;
    List<Path> files = new ArrayList<>();
    for (String manager : ring.managerNames()) {
      files.addAll(AuditSource.find(ring.directory(manager)));
    }
    for (Path file : files) {
      try (AuditSource lines = AuditSource.open(file)) {
        for (@Nullable AuditLine line = lines.next(); line != null; line = lines.next()) {
          if (line.refusal() != null) continue;
          if (line.action().equals("Enrol")) issued++;
          if (line.action().equals("Renew")) renewed++;
        }
      }
    }
    return new Chaos.CertificateReport(issued, renewed, outSeconds);
  }
}
