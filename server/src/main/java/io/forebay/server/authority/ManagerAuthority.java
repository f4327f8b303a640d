// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.base.Answers;
import io.forebay.base.Bytes;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.host.OwnHosts;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CA of a manager's process, in the folder {@code certificates} of the manager's directory:
 * {@code authority} has the CA, {@code manager} the certificate of the manager, {@code admin} that
 * of its administrator. One thread of its own signs, and renews the latter two. The manager's loop
 * calls what {@link Signer} has and {@link #poll}.
 */
public final class ManagerAuthority implements Signer, AutoCloseable {
  /** More than the manager's desk has under way. */
  private static final int PENDING_MAX = 1024;

  private static final long LOOK_SECONDS = 5;
  private static final String FOLDER = "certificates";
  private static final String AUTHORITY = "authority";
  private static final String MANAGER = "manager";
  private static final String ADMIN = "admin";
  private static final String ADDRESS = "address";
  private static final Logger LOG = LoggerFactory.getLogger(ManagerAuthority.class);

  private record Own(IdentityFiles files, Holder holder) {}

  private final ClusterCa ca;
  private final Duration lifetime;
  private final List<Own> own;
  private final ScheduledThreadPoolExecutor thread;
  private @Nullable Answers answers;
  private @Nullable TlsFiles tls;

  private ManagerAuthority(ClusterCa ca, Duration lifetime, List<Own> own) {
    this.ca = ca;
    this.lifetime = lifetime;
    this.own = own;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("authority").factory());
  }

  private static Path folder(Path manager, String name) {
    return manager.resolve(FOLDER).resolve(name);
  }

  /** Whether a manager's directory has a CA. */
  public static boolean exists(Path manager) {
    return new IdentityFiles(folder(manager, AUTHORITY)).exist();
  }

  /** The certificate of the administrator of a manager's directory. */
  public static TlsSettings administrator(Path manager) {
    return new IdentityFiles(folder(manager, ADMIN)).settings();
  }

  /** Where the manager of a directory listened last; null if it has not. */
  public static @Nullable Address address(Path manager) throws IOException {
    Path file = folder(manager, ADMIN).resolve(ADDRESS);
    return Files.exists(file) ? Address.parse(Files.readString(file).strip()) : null;
  }

  /**
   * Opens the CA of a manager's directory, or makes it; the manager's certificate is valid then.
   */
  public static ManagerAuthority open(Path manager, Address.Inet listen, Duration lifetime)
      throws IOException {
    boolean known = exists(manager);
    ClusterCa ca =
        ClusterCa.open(
            folder(manager, AUTHORITY), CertificateMakers.find(), InstantSource.system());
    List<String> hosts = OwnHosts.of(listen);
    CertificateName name = new CertificateName(Role.MANAGER, hosts.get(0));
    List<Own> own =
        List.of(
            new Own(new IdentityFiles(folder(manager, MANAGER)), new Holder(name, hosts)),
            new Own(
                new IdentityFiles(folder(manager, ADMIN)),
                new Holder(new CertificateName(Role.ADMIN, "operator"), List.of())));
    ManagerAuthority authority = new ManagerAuthority(ca, lifetime, own);
    // The host names may have changed since.
    for (Own each : own) authority.issue(each);
    if (!known) {
      LOG.info(
          "the cluster has a CA now, in '{}'; 'forebay token create --dir {}' lets servers join",
          folder(manager, AUTHORITY),
          manager);
    }
    return authority;
  }

  private void issue(Own each) throws IOException {
    ca.issue(each.files(), each.holder(), lifetime);
  }

  /** Where the certificate of the manager is. */
  public TlsSettings settings() {
    return own.get(0).files().settings();
  }

  /**
   * Begins to sign and to renew.
   *
   * @param files the certificates in use, which learn of revocations
   * @param wakeUp lets the manager's loop {@link #poll} soon
   */
  public void start(TlsFiles files, Runnable wakeUp) {
    tls = files;
    answers = new Answers(PENDING_MAX, wakeUp);
    ScheduledFuture<?> _ =
        thread.scheduleWithFixedDelay(this::renewOwn, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Notes where the manager listens, for its administrator on this machine. */
  public void listens(Address.Inet at) throws IOException {
    boolean any = InetAddress.getByName(at.host()).isAnyLocalAddress();
    Address.Inet dialled = any ? new Address.Inet("127.0.0.1", at.port()) : at;
    Path admin = own.get(1).files().directory();
    Files.writeString(admin.resolve(ADDRESS), dialled + "\n");
  }

  private void renewOwn() {
    for (Own each : new ArrayList<>(own)) {
      try {
        if (!Enroller.isDue(each.files().certificate())) continue;
        issue(each);
        LOG.info("the certificate of {} is renewed", each.holder().name());
      } catch (IOException e) {
        LOG.warn("the certificate of {} is not renewed: {}", each.holder().name(), e.getMessage());
      }
    }
  }

  @Override
  public Bytes authority() {
    return ca.hash();
  }

  @Override
  public void sign(Request request, Consumer<Answer> answer) {
    Answers deliveries = answers;
    if (deliveries == null || deliveries.room() == 0) {
      answer.accept(new Answer.NotSigned("the CA is busy; try again"));
      return;
    }
    deliveries.expect();
    thread.execute(
        () -> {
          Answer made = signed(request);
          deliveries.answer(() -> answer.accept(made));
        });
  }

  /** Always returns: a caller without an answer would wait for ever. */
  private Answer signed(Request request) {
    try {
      CertificateMaker.Request asked =
          new CertificateMaker.Request(
              HolderKey.verify(request.key(), request.proof(), request.name()),
              request.name(),
              request.hosts());
      X509Certificate certificate = ca.sign(asked, request.serial(), lifetime);
      return new Answer.Signed(
          Bytes.copyOf(certificate.getEncoded()),
          Bytes.copyOf(ca.certificate().getEncoded()),
          certificate.getNotAfter().toInstant().getEpochSecond());
    } catch (GeneralSecurityException e) {
      return new Answer.NotSigned("the request cannot be signed: " + e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("a request for a certificate of {} broke", request.name(), e);
      return new Answer.NotSigned("the request cannot be signed: " + e);
    }
  }

  @Override
  public void revoked(List<Long> serials) {
    if (tls != null) tls.revoked().set(serials);
  }

  /** Delivers what was signed, on the manager's loop. */
  public boolean poll() {
    Answers deliveries = answers;
    return deliveries != null && deliveries.poll() > 0;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
