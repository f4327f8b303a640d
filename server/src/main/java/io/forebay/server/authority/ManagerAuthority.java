// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.base.Answers;
import io.forebay.base.Bytes;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.host.OwnHosts;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CA of a manager's process, in the folder {@code certificates} of the manager's directory:
 * {@code authority} has the CA, {@code manager} the certificate of the manager, {@code admin} that
 * of its administrator. One thread of its own signs, and replaces the latter two when they expire
 * soon or are revoked. The manager's loop calls what {@link Signer} has and {@link #poll}.
 *
 * <p>The first manager of a cluster makes the root. Each further one has a CA that is signed by
 * that of the manager which led when it joined, and signs all that the first one can.
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
  private static final String REVOKED =
      "the CA of this manager is revoked; stop it, and start it with another token of role manager";
  private static final Logger LOG = LoggerFactory.getLogger(ManagerAuthority.class);

  /** A key and certificate on this machine. */
  private record Place(IdentityFiles files, Holder holder) {}

  private final ClusterCa ca;
  private final Duration lifetime;
  private final List<Place> places;
  private final ScheduledThreadPoolExecutor thread;
  private volatile List<Enrolment.OwnCertificate> own = List.of();
  private volatile Set<Long> revoked = Set.of();

  /** Set when {@link #own} has changed, until the manager's loop has seen it. */
  private final AtomicBoolean changed = new AtomicBoolean();

  private volatile @Nullable TlsFiles tls;
  private volatile Runnable wakeUp = () -> {};
  private @Nullable Answers answers;
  private Runnable whenOwnChanges = () -> {};

  private ManagerAuthority(ClusterCa ca, Duration lifetime, List<Place> places) {
    this.ca = ca;
    this.lifetime = lifetime;
    this.places = places;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("authority").factory());
  }

  private static Path folder(Path manager, String name) {
    return manager.resolve(FOLDER).resolve(name);
  }

  /** Whether a manager's directory has a CA, or had one: its certificates are still there. */
  public static boolean exists(Path manager) {
    return !isAbsent(manager, AUTHORITY) || hasIssued(manager);
  }

  private static boolean hasIssued(Path manager) {
    return !isAbsent(manager, MANAGER) || !isAbsent(manager, ADMIN);
  }

  private static boolean isAbsent(Path manager, String name) {
    return new IdentityFiles(folder(manager, name)).areAbsent();
  }

  /** The certificate of the administrator of a manager's directory. */
  public static TlsSettings administrator(Path manager) {
    return administratorFiles(manager).settings();
  }

  static IdentityFiles administratorFiles(Path manager) {
    return new IdentityFiles(folder(manager, ADMIN));
  }

  /** Where the manager of a directory listened last; null if it has not. */
  public static @Nullable Address address(Path manager) throws IOException {
    Path file = folder(manager, ADMIN).resolve(ADDRESS);
    return Files.exists(file) ? Address.parse(Files.readString(file).strip()) : null;
  }

  /**
   * A further manager of a cluster: gets a CA by a token at its first start, and is then as after
   * {@link #open}. Waits for the managers. Later the token is not used, unless it is another one
   * than last time: then the CA is replaced, if a manager takes the token.
   */
  public static ManagerAuthority join(
      Path manager, Address.Inet listen, Duration lifetime, JoinToken token, List<Address> managers)
      throws IOException {
    IdentityFiles files = new IdentityFiles(folder(manager, AUTHORITY));
    CertificateName name = name(OwnHosts.of(listen));
    Enroller enroller = new Enroller(managers, files);
    X509Certificate before = files.areAbsent() ? null : files.certificate();
    if (before == null) {
      enroller.enrolPatiently(token, name, List.of());
      LOG.info("{} has a CA now, in '{}', signed by that of the cluster", name, files.directory());
    } else {
      if (!hash(files.authority()).equals(token.authority())) {
        throw new IOException(
            "the token is of another cluster than the CA in '%s'; use a token of this one, or move '%s' away to join the other one"
                .formatted(files.directory(), manager.resolve(FOLDER)));
      }
      boolean root = before.equals(files.authority());
      if (!root) enroller.enrolAgain(token, name, List.of());
    }
    ManagerAuthority authority = open(manager, listen, lifetime);
    // At another start there may be no leader before this manager takes part.
    if (!files.certificate().equals(before)) authority.enter(manager, managers);
    return authority;
  }

  /** Has its own certificates listed, so that they can be revoked before it leads. */
  private void enter(Path manager, List<Address> managers) {
    try (CertificateAdmin admin = CertificateAdmin.of(managers, administrator(manager))) {
      admin.enter(own);
    } catch (IOException e) {
      LOG.info("the certificates of this machine are listed when it leads: {}", e.getMessage());
    }
  }

  private static CertificateName name(List<String> hosts) {
    return new CertificateName(Role.MANAGER, hosts.get(0));
  }

  private static Bytes hash(X509Certificate certificate) throws IOException {
    try {
      return JoinToken.sha256(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IOException(e);
    }
  }

  /**
   * Opens the CA of a manager's directory, or makes a root; the manager's certificate is valid
   * then.
   */
  public static ManagerAuthority open(Path manager, Address.Inet listen, Duration lifetime)
      throws IOException {
    boolean known = !isAbsent(manager, AUTHORITY);
    // Another CA would shut out all servers and users.
    if (!known && hasIssued(manager)) {
      throw new IOException(
          "'%s' is missing; restore it from a copy; or join again with another token, if there are other managers; or move '%s' away for a new CA, of which all servers, agents and users need new certificates"
              .formatted(folder(manager, AUTHORITY), manager.resolve(FOLDER)));
    }
    ClusterCa ca =
        ClusterCa.open(
            folder(manager, AUTHORITY), CertificateMakers.find(), InstantSource.system());
    List<String> hosts = OwnHosts.of(listen);
    CertificateName name = name(hosts);
    List<Place> places =
        List.of(
            new Place(new IdentityFiles(folder(manager, MANAGER)), new Holder(name, hosts)),
            new Place(
                new IdentityFiles(folder(manager, ADMIN)),
                new Holder(new CertificateName(Role.ADMIN, "operator"), List.of())));
    ManagerAuthority authority = new ManagerAuthority(ca, lifetime, places);
    for (Place each : places) {
      if (!authority.isUsable(each)) authority.issue(each);
    }
    authority.look();
    if (!known) {
      LOG.info(
          "the cluster has a CA now, in '{}'; 'forebay token create --dir {}' lets servers join",
          folder(manager, AUTHORITY),
          manager);
    }
    return authority;
  }

  /**
   * Whether there is a certificate that need not be replaced. It is used again after a restart, so
   * that the copies of an administrator stay those that can be revoked.
   */
  private boolean isUsable(Place place) {
    IdentityFiles files = place.files();
    try {
      return files.exist()
          && ca.hasIssued(files.chain(), place.holder())
          && files.authority().equals(ca.root())
          && HolderKey.isPair(files.key(), files.certificate().getPublicKey())
          && !Enroller.isDue(files.certificate())
          && !revoked.contains(ClusterCa.serial(files.certificate()));
    } catch (IOException e) {
      LOG.warn("another certificate of {} is made: {}", place.holder().name(), e.getMessage());
      return false;
    }
  }

  private void issue(Place place) throws IOException {
    ca.issue(place.files(), place.holder(), lifetime);
  }

  /** Tells which certificates are there now. */
  private void look() throws IOException {
    List<Enrolment.OwnCertificate> found = new ArrayList<>();
    for (Place each : places) {
      X509Certificate certificate = each.files().certificate();
      found.add(
          new Enrolment.OwnCertificate(
              ClusterCa.serial(certificate),
              each.holder().name().role(),
              each.holder().name().name(),
              JoinToken.sha256(certificate.getPublicKey().getEncoded()),
              certificate.getNotBefore().toInstant().getEpochSecond(),
              certificate.getNotAfter().toInstant().getEpochSecond(),
              ClusterCa.serial(ca.certificate())));
    }
    own = List.copyOf(found);
  }

  /** Where the certificate of the manager is. */
  public TlsSettings settings() {
    return places.get(0).files().settings();
  }

  /**
   * Begins to sign and to renew.
   *
   * @param files the certificates in use, which learn of revocations
   * @param wakesUp lets the manager's loop {@link #poll} soon
   */
  public void start(TlsFiles files, Runnable wakesUp) {
    tls = files;
    wakeUp = wakesUp;
    answers = new Answers(PENDING_MAX, wakesUp);
    ScheduledFuture<?> _ =
        thread.scheduleWithFixedDelay(
            this::replaceOwn, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Notes where the manager listens, for its administrator on this machine. */
  public void listens(Address.Inet at) throws IOException {
    boolean any = InetAddress.getByName(at.host()).isAnyLocalAddress();
    Address.Inet dialled = any ? new Address.Inet("127.0.0.1", at.port()) : at;
    Path file = places.get(1).files().directory().resolve(ADDRESS);
    try (FileChannel out =
        OwnerOnly.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer text = StandardCharsets.US_ASCII.encode(dialled + "\n");
      while (text.hasRemaining()) out.write(text);
    }
  }

  /** Whether nothing counts any more that this CA signs. */
  private boolean isRevoked() {
    return ca.chain().stream().anyMatch(each -> revoked.contains(ClusterCa.serial(each)));
  }

  /** Replaces certificates that expire soon or are revoked. */
  private void replaceOwn() {
    if (isRevoked()) return;
    boolean any = false;
    for (Place each : places) {
      if (isUsable(each)) continue;
      try {
        issue(each);
        any = true;
        LOG.info("{} has another certificate now", each.holder().name());
      } catch (IOException e) {
        LOG.warn("the certificate of {} stays: {}", each.holder().name(), e.getMessage());
      }
    }
    if (!any) return;
    TlsFiles used = tls;
    if (used != null) used.reload();
    try {
      look();
    } catch (IOException e) {
      LOG.warn("the certificates of this manager cannot be read: {}", e.getMessage());
    }
    changed.set(true);
    wakeUp.run();
  }

  @Override
  public List<Enrolment.OwnCertificate> own() {
    return own;
  }

  @Override
  public void whenOwnChanges(Runnable action) {
    whenOwnChanges = action;
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
      if (isRevoked()) return new Answer.NotSigned(REVOKED);
      PublicKey key = HolderKey.verify(request.key(), request.proof(), request.name());
      X509Certificate certificate =
          request.authority()
              ? ca.signAuthority(key, request.name().name(), request.serial())
              : ca.sign(
                  new CertificateMaker.Request(key, request.name(), request.hosts()),
                  request.serial(),
                  lifetime);
      List<Bytes> chain = new ArrayList<>();
      for (X509Certificate each : ca.chainOf(certificate)) {
        chain.add(Bytes.copyOf(each.getEncoded()));
      }
      return new Answer.Signed(
          chain,
          Bytes.copyOf(ca.root().getEncoded()),
          ClusterCa.serial(ca.certificate()),
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
    boolean before = isRevoked();
    revoked = Set.copyOf(serials);
    if (isRevoked() && !before) LOG.error("{}", REVOKED);
    TlsFiles used = tls;
    if (used != null) used.revoked().set(serials);
    if (own.stream().anyMatch(each -> serials.contains(each.serial()))) {
      thread.execute(this::replaceOwn);
    }
  }

  /** Delivers what was signed, on the manager's loop. */
  public boolean poll() {
    if (changed.getAndSet(false)) whenOwnChanges.run();
    Answers deliveries = answers;
    return deliveries != null && deliveries.poll() > 0;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
