// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.certificate;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.audit.ManagerAudit;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.seat.manager.state.CertificateBook;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Issues certificates for tokens, renews and revokes them. A request goes these steps:
 *
 * <ol>
 *   <li>the caller, its token and the name are checked against the committed state;
 *   <li>the CA verifies the proof of the key and signs;
 *   <li>the certificate is proposed, and the token's use with it; the state checks again;
 *   <li>once that is committed, the caller gets the certificate.
 * </ol>
 *
 * <p>So a certificate that left the manager is always known to it, and can be revoked.
 */
public final class CertificateDesk {
  /** What the desk works with. */
  public record Parts(
      ManagerState state,
      Decisions decisions,
      Signer signer,
      WallClock wallClock,
      ManagerAudit audit,
      ManagerEvents events,
      LimitCounts limits) {}

  private static final long TTL_SECONDS_MAX = TimeUnit.DAYS.toSeconds(365);

  private static final int HOSTS_MAX = 32;
  private static final int HOST_CHARS_MAX = 253;
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:-]+");
  private static final int HEX = 16;

  /** A machine has one of its manager and one of its administrator. */
  private static final int OWN_MAX = 8;

  /** Signatures under way; each has a thread's time. */
  private static final int PENDING_MAX = Math.toIntExact(Limit.SIGNATURES.value());

  /** Before the signature: the signer says until when it is valid, and by which CA. */
  private static final Signer.Answer.Signed UNSIGNED =
      new Signer.Answer.Signed(List.of(), Bytes.EMPTY, 0, Long.MAX_VALUE);

  private final Parts parts;
  private final CertificateBook book;
  private final RandomGenerator random;
  private final TokenExpiry tokens;
  private int pending;
  private List<Long> revoked = List.of();

  public CertificateDesk(Parts parts, RandomGenerator random) {
    this.parts = parts;
    this.book = parts.state().certificates();
    this.random = random;
    this.tokens = new TokenExpiry(book, parts.decisions(), parts.audit(), this::nowSeconds);
    parts.signer().whenOwnChanges(this::enterOwn);
  }

  /**
   * Watches its tokens from now on.
   *
   * @param decides whether the manager leads, and decides
   */
  public void start(Timers timers, BooleanSupplier decides) {
    if (parts.signer().authority().length() > 0) tokens.start(timers, decides);
  }

  /**
   * Enters the certificates of the manager's own machine into the book, so that they are listed and
   * can be revoked. Called when a term begins, and when they change.
   */
  public void enterOwn() {
    for (Enrolment.OwnCertificate own : parts.signer().own()) {
      if (book.certificate(own.serial()) != null) continue;
      String failure =
          "the certificate of %s is not in the list of certificates: "
              .formatted(new CertificateName(own.role(), own.name()));
      parts
          .decisions()
          .propose(
              new Command.EnterCertificate(entryOf(own), nowSeconds()),
              result -> {
                if (result instanceof Result.Refused refused) {
                  parts.events().warned(failure + refused.sentence());
                }
              },
              // The next term enters it.
              why -> parts.events().warned(failure + "its entry was " + why));
    }
  }

  private static CertificateBook.Issued entryOf(Enrolment.OwnCertificate own) {
    return new CertificateBook.Issued(
        own.serial(),
        own.role(),
        own.name(),
        own.keyHash(),
        Bytes.EMPTY,
        own.issuedSeconds(),
        own.expirySeconds(),
        false,
        own.issuer(),
        false);
  }

  /** The committed state has changed. */
  public void changed() {
    List<Long> now = book.revoked();
    if (now.equals(revoked)) return;
    revoked = now;
    parts.signer().revoked(now);
  }

  /** Answers a request. */
  public void answer(Enrolment.Request request, Caller caller) {
    if (parts.signer().authority().length() == 0) {
      caller.fail(
          ErrorCode.INVALID,
          "this manager has no CA of its own: its certificates are those of the site, or it uses no TLS");
      return;
    }
    switch (request) {
      case Enrolment.CreateToken create -> createToken(create, caller);
      case Enrolment.Enrol enrol -> enrol(enrol, caller);
      case Enrolment.Renew renew -> renew(renew, caller);
      case Enrolment.EnterCertificates enter -> enter(enter.certificates(), caller);
      case Enrolment.ListCertificates list -> list(list, caller);
      case Enrolment.Revoke revoke -> revoke(revoke, caller);
      case Enrolment.GetRevoked get -> caller.answer(new Enrolment.RevokedAre(book.revoked()));
    }
  }

  private long nowSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(parts.wallClock().nanos());
  }

  private void createToken(Enrolment.CreateToken create, Caller caller) {
    String wrong = wrongToken(create);
    if (wrong != null) {
      caller.fail(ErrorCode.INVALID, wrong);
      return;
    }
    long now = nowSeconds();
    CertificateBook.Token token =
        new CertificateBook.Token(
            create.secretHash(),
            create.role(),
            create.name(),
            now + create.ttlSeconds(),
            create.uses());
    propose(
        new Command.AddToken(token, now),
        caller,
        () -> {
          tokens.changed(token.secretHash());
          CertificateBook.Token made = book.token(token.secretHash());
          long expiry = made == null ? token.expirySeconds() : made.expirySeconds();
          caller.answer(new Enrolment.TokenMade(parts.signer().authority(), expiry));
        });
  }

  private static @Nullable String wrongToken(Enrolment.CreateToken create) {
    if (create.secretHash().length() != JoinToken.HASH_BYTES) return "a hash of the wrong length";
    if (create.ttlSeconds() < 1 || create.ttlSeconds() > TTL_SECONDS_MAX) {
      return "a token lasts from 1 second to " + TimeUnit.SECONDS.toDays(TTL_SECONDS_MAX) + " days";
    }
    if (create.uses() < 1 || create.uses() > CertificateBook.USES_MAX) {
      return "a token has from 1 to " + CertificateBook.USES_MAX + " uses";
    }
    if (create.role() == Role.USER && create.name().isEmpty()) {
      return "a token for a client is for one user; name the user";
    }
    return create.name().isEmpty() ? null : wrongName(create.role(), create.name());
  }

  private static @Nullable String wrongName(Role role, String name) {
    if (name.isBlank() || name.length() > CertificateName.NAME_CHARS_MAX) {
      return "a name has from 1 to " + CertificateName.NAME_CHARS_MAX + " characters";
    }
    if (role != Role.USER) return null;
    try {
      boolean root = Integer.parseUnsignedInt(name) == Identity.ROOT;
      return root ? "root uses the certificate of the administrator, not one of a user" : null;
    } catch (NumberFormatException e) {
      return "a user is named by the number, not '" + name + "'";
    }
  }

  private void enrol(Enrolment.Enrol enrol, Caller caller) {
    String wrong = wrongName(enrol.role(), enrol.name());
    if (wrong != null) {
      caller.fail(ErrorCode.INVALID, wrong);
      return;
    }
    Bytes token = JoinToken.sha256(enrol.secret().toArray());
    CertificateName name = new CertificateName(enrol.role(), enrol.name());
    issue(name, new Asked(enrol.hosts(), enrol.key(), enrol.proof(), token, 0), caller);
  }

  private void renew(Enrolment.Renew renew, Caller caller) {
    PeerCertificate peer = caller.connection().peer().certificate();
    CertificateBook.Issued before = book.certificate(serialOf(peer));
    CertificateName name = CertificateName.of(peer.names());
    if (before == null || name == null) {
      caller.fail(
          ErrorCode.NOT_PERMITTED,
          "only a certificate that this manager has issued can be renewed, on a connection that shows it");
      return;
    }
    if (name.role() == Role.MANAGER || name.role() == Role.ADMIN) {
      caller.fail(
          ErrorCode.NOT_PERMITTED,
          "the manager renews the certificate of " + name + " itself, in its own directory");
      return;
    }
    issue(
        name,
        new Asked(renew.hosts(), renew.key(), renew.proof(), Bytes.EMPTY, before.serial()),
        caller);
  }

  /** Enters, one after the other, what another manager's CA has made for its own machine. */
  private void enter(List<Enrolment.OwnCertificate> certificates, Caller caller) {
    if (certificates.size() > OWN_MAX) {
      caller.fail(ErrorCode.INVALID, "more than " + OWN_MAX + " certificates");
      return;
    }
    List<String> issuers = caller.connection().peer().certificate().issuers();
    for (Enrolment.OwnCertificate each : certificates) {
      boolean own = each.role() == Role.MANAGER || each.role() == Role.ADMIN;
      boolean wrong =
          each.serial() < 1
              || each.keyHash().length() != JoinToken.HASH_BYTES
              || wrongName(each.role(), each.name()) != null;
      if (!own || wrong || !issuers.contains(Long.toHexString(each.issuer()))) {
        caller.fail(
            ErrorCode.NOT_PERMITTED,
            "only certificates of a manager's own machine are entered, by its administrator");
        return;
      }
    }
    enterNext(certificates, 0, caller);
  }

  private void enterNext(List<Enrolment.OwnCertificate> certificates, int at, Caller caller) {
    if (at == certificates.size()) {
      caller.answer(new Replies.Done());
      return;
    }
    propose(
        new Command.EnterCertificate(entryOf(certificates.get(at)), nowSeconds()),
        caller,
        () -> enterNext(certificates, at + 1, caller));
  }

  private static long serialOf(PeerCertificate peer) {
    try {
      return Long.parseLong(peer.serial(), HEX);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** What a process asks for. */
  private record Asked(List<String> hosts, Bytes key, Bytes proof, Bytes token, long renews) {}

  private void issue(CertificateName name, Asked asked, Caller caller) {
    String wrong = wrongRequest(asked);
    if (wrong != null) {
      caller.fail(ErrorCode.INVALID, wrong);
      return;
    }
    long now = nowSeconds();
    long serial = newSerial();
    Command.IssueCertificate provisional = command(name, asked, serial, now, UNSIGNED);
    Result.Refused refused = book.check(provisional);
    if (refused != null) {
      refuse(refused, Limit.CERTIFICATES, caller);
      return;
    }
    if (pending >= PENDING_MAX) {
      parts.limits().reached(Limit.SIGNATURES);
      caller.fail(ErrorCode.BUSY, "the CA is busy; try again");
      return;
    }
    pending++;
    parts
        .signer()
        .sign(
            new Signer.Request(serial, name, asked.hosts(), asked.key(), asked.proof()),
            answer -> {
              pending--;
              signed(name, asked, answer, provisional, caller);
            });
  }

  private void signed(
      CertificateName name,
      Asked asked,
      Signer.Answer answer,
      Command.IssueCertificate provisional,
      Caller caller) {
    switch (answer) {
      case Signer.Answer.NotSigned not -> caller.fail(ErrorCode.INVALID, not.sentence());
      case Signer.Answer.Signed signed -> {
        CertificateBook.Issued as = provisional.certificate();
        propose(
            command(name, asked, as.serial(), as.issuedSeconds(), signed),
            caller,
            () -> {
              tokens.changed(asked.token());
              caller.answer(
                  new Enrolment.Enrolled(signed.chain(), signed.authority()),
                  numbered(as.serial(), signed.expirySeconds()));
            });
      }
    }
  }

  private static String numbered(long serial, long expirySeconds) {
    return "number %s until %s"
        .formatted(Long.toHexString(serial), Instant.ofEpochSecond(expirySeconds));
  }

  private static Command.IssueCertificate command(
      CertificateName name,
      Asked asked,
      long serial,
      long nowSeconds,
      Signer.Answer.Signed signed) {
    CertificateBook.Issued certificate =
        new CertificateBook.Issued(
            serial,
            name.role(),
            name.name(),
            JoinToken.sha256(asked.key().toArray()),
            asked.token(),
            nowSeconds,
            signed.expirySeconds(),
            false,
            signed.issuer(),
            name.role() == Role.MANAGER);
    return new Command.IssueCertificate(certificate, asked.token(), asked.renews());
  }

  private static @Nullable String wrongRequest(Asked asked) {
    boolean fits =
        asked.key().length() <= HolderKey.ENCODED_BYTES_MAX
            && asked.proof().length() <= HolderKey.ENCODED_BYTES_MAX;
    if (!fits) return "a key or a proof of the wrong length";
    if (asked.hosts().size() > HOSTS_MAX) return "more than " + HOSTS_MAX + " hosts";
    for (String host : asked.hosts()) {
      if (host.length() > HOST_CHARS_MAX || !HOST.matcher(host).matches()) {
        return "'" + host + "' is no name or address of a host";
      }
    }
    return null;
  }

  /** Above 0, and not in use. */
  private long newSerial() {
    long serial = random.nextLong() & Long.MAX_VALUE;
    while (serial == 0 || book.certificate(serial) != null) {
      serial = random.nextLong() & Long.MAX_VALUE;
    }
    return serial;
  }

  private void list(Enrolment.ListCertificates list, Caller caller) {
    if (list.max() < 1) caller.fail(ErrorCode.INVALID, "a page of " + list.max() + " certificates");
    else caller.answer(book.after(list.after(), list.max()));
  }

  private void revoke(Enrolment.Revoke revoke, Caller caller) {
    List<Long> serials = book.revocable(revoke.serial(), revoke.name(), revoke.roles());
    if (serials.isEmpty()) {
      caller.fail(
          ErrorCode.NOT_FOUND,
          "there is no valid certificate "
              + (revoke.serial() == 0
                  ? "of '" + revoke.name() + "'"
                  : "with number " + Long.toHexString(revoke.serial()))
              + "; 'forebay certificates' lists them");
      return;
    }
    String holders = holders(serials);
    propose(
        new Command.RevokeCertificates(
            revoke.serial(), revoke.name(), revoke.roles(), nowSeconds()),
        caller,
        () -> caller.answer(new Enrolment.Revoked(serials.size()), holders));
  }

  private String holders(List<Long> serials) {
    List<String> shown = new ArrayList<>();
    for (long serial : serials) {
      CertificateBook.Issued each = book.certificate(serial);
      if (each == null) continue;
      CertificateName name = new CertificateName(each.role(), each.name());
      shown.add(name + " number " + Long.toHexString(serial));
    }
    return String.join(", ", shown);
  }

  /** Refuses what the book does, which is BUSY only when it is full. */
  private void refuse(Result.Refused refused, Limit full, Caller caller) {
    if (refused.code() == ErrorCode.BUSY) parts.limits().reached(full);
    caller.fail(refused);
  }

  private void propose(Command command, Caller caller, Runnable done) {
    Limit full = command instanceof Command.AddToken ? Limit.TOKENS : Limit.CERTIFICATES;
    parts
        .decisions()
        .propose(
            command,
            result -> {
              if (result instanceof Result.Refused refused) refuse(refused, full, caller);
              else done.run();
            },
            why -> caller.fail(ErrorCode.UNAVAILABLE, "the request was " + why));
  }
}
