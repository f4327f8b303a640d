// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.client.host.OwnHosts;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the certificate of a running process valid: a thread that renews it when two thirds of its
 * lifetime are over, and asks the manager every few seconds which certificates are revoked. The
 * loops of the process find the new files by themselves, and close the connections of revoked
 * peers.
 */
public final class IdentityKeeper implements AutoCloseable {
  /** How often revocations are asked for: all processes close revoked connections within 10 s. */
  private static final long LOOK_MILLIS = 3000;

  private static final long WARN_EVERY_LOOKS = 100;
  private static final Logger LOG = LoggerFactory.getLogger(IdentityKeeper.class);

  private final Enroller enroller;
  private final IdentityFiles files;
  private final List<String> hosts;
  private final TlsFiles tls;
  private final ManagerLine line;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private Set<Long> revoked = Set.of();
  private long failures;

  /** Whether the manager was told the hosts; it may not take all of them. */
  private boolean hostsKnown;

  /**
   * Not started yet.
   *
   * @param hosts the names and addresses of the process, for its next certificate
   * @param tls the certificates in use, which learn of revocations
   */
  public IdentityKeeper(
      List<Address> managers, IdentityFiles files, List<String> hosts, TlsFiles tls)
      throws IOException {
    this.enroller = new Enroller(managers, files);
    this.files = files;
    this.hosts = List.copyOf(hosts);
    this.tls = tls;
    this.line = new ManagerLine(managers, tls);
    this.thread = new Thread(this::run, "certificate");
    thread.setDaemon(true);
  }

  /** Begins; revocations of before are known at once. */
  public void start() throws IOException {
    revoked = files.revoked();
    tls.revoked().set(revoked);
    thread.start();
  }

  private void run() {
    try (line) {
      do {
        look();
      } while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      Enrolment.RevokedAre are = line.ask(new Enrolment.GetRevoked(), Enrolment.RevokedAre.class);
      take(new TreeSet<>(are.serials()));
      X509Certificate present = files.certificate();
      CertificateName name = CertificateName.of(Certificates.names(present));
      if (name != null && (Enroller.isDue(present, Instant.now()) || isForOtherHosts(present))) {
        // The open connection shows the certificate of its time, which may have expired.
        line.hangUp();
        enroller.renew(line, name, hosts);
        hostsKnown = true;
        tls.reload();
        LOG.info("the certificate of {} is renewed", name);
      }
      failures = 0;
    } catch (IOException e) {
      if (failures++ % WARN_EVERY_LOOKS == 1 && closing.getCount() > 0) {
        LOG.warn("revocations and renewals are not known at present: {}", e.getMessage());
      }
    }
  }

  /** A process that listens elsewhere than before needs a certificate for that. */
  private boolean isForOtherHosts(X509Certificate present) {
    return !hostsKnown
        && !OwnHosts.uniform(Certificates.names(present)).containsAll(OwnHosts.uniform(hosts));
  }

  private void take(Set<Long> newest) throws IOException {
    if (newest.equals(revoked)) return;
    tls.revoked().set(newest);
    revoked = newest;
    files.writeRevoked(newest);
  }

  @Override
  public void close() {
    closing.countDown();
    line.stop();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
