// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.wire.Limit;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that can be used, and the certificates that were issued, until they expire. A part of
 * {@link ManagerState}: changed by committed commands only, which carry the time.
 */
public final class CertificateBook {
  /**
   * A token.
   *
   * @param secretHash the SHA-256 of its secret; the secret itself is not kept
   * @param name the only name for which it is good; empty for any
   */
  public record Token(Bytes secretHash, Role role, String name, long expirySeconds, int usesLeft) {}

  /**
   * A certificate.
   *
   * @param keyHash the SHA-256 of its public key
   * @param token the hash of the secret of the token by which its holder enrolled; empty if it was
   *     renewed
   * @param issuer the serial number of the CA's certificate that signed it; the root's is not in
   *     the book
   * @param authority whether it is the certificate of a CA
   */
  public record Issued(
      long serial,
      Role role,
      String name,
      Bytes keyHash,
      Bytes token,
      long issuedSeconds,
      long expirySeconds,
      boolean revoked,
      long issuer,
      boolean authority) {
    Issued asRevoked() {
      return new Issued(
          serial,
          role,
          name,
          keyHash,
          token,
          issuedSeconds,
          expirySeconds,
          true,
          issuer,
          authority);
    }

    boolean isFor(Role otherRole, String otherName) {
      return role == otherRole && name.equals(otherName);
    }

    Enrolment.Certificate shown() {
      return new Enrolment.Certificate(
          serial, role, name, issuedSeconds, expirySeconds, revoked, issuer, authority);
    }
  }

  /** All of it, as it is written down. */
  public record Content(List<Token> tokens, List<Issued> issued) {}

  public static final int TOKENS_MAX = Math.toIntExact(Limit.TOKENS.value());
  public static final int USES_MAX = 10_000;

  /** With names of 100 characters all of them fit into the record of a snapshot. */
  public static final int CERTIFICATES_MAX = Math.toIntExact(Limit.CERTIFICATES.value());

  /** One name renews, and one user may have several machines. */
  static final int CERTIFICATES_OF_A_NAME_MAX = 32;

  private static final int PAGE_MAX = 1000;

  private final Map<Bytes, Token> tokens = new HashMap<>();
  private final TreeMap<Long, Issued> issued = new TreeMap<>();

  Content content() {
    return new Content(
        tokens.values().stream()
            .sorted((a, b) -> a.secretHash().asBuffer().compareTo(b.secretHash().asBuffer()))
            .toList(),
        List.copyOf(issued.values()));
  }

  void restore(Content content) {
    tokens.clear();
    for (Token token : content.tokens()) tokens.put(token.secretHash(), token);
    issued.clear();
    for (Issued each : content.issued()) issued.put(each.serial(), each);
  }

  /** The token with that hash, or null. */
  public @Nullable Token token(Bytes secretHash) {
    return tokens.get(secretHash);
  }

  /** All tokens, also expired ones that no command has made it forget yet. */
  public List<Token> tokens() {
    return List.copyOf(tokens.values());
  }

  /** The certificate with that number, or null. */
  public @Nullable Issued certificate(long serial) {
    return issued.get(serial);
  }

  /** The numbers of revoked certificates, in order. */
  public List<Long> revoked() {
    List<Long> serials = new ArrayList<>();
    for (Issued each : issued.values()) {
      if (each.revoked()) serials.add(each.serial());
    }
    return serials;
  }

  /** The servers that have revoked certificates and no other, by their names. */
  public List<String> revokedServers() {
    TreeSet<String> names = new TreeSet<>();
    for (Issued each : issued.values()) {
      if (each.role() == Role.SERVER && each.revoked()) names.add(each.name());
    }
    if (names.isEmpty()) return List.of();
    for (Issued each : issued.values()) {
      if (each.role() == Role.SERVER && !each.revoked()) names.remove(each.name());
    }
    return List.copyOf(names);
  }

  /** A page of certificates. */
  public Enrolment.CertificatesAre after(long serial, int max) {
    List<Enrolment.Certificate> page = new ArrayList<>();
    for (Issued each : issued.tailMap(serial, false).values()) {
      if (page.size() == Math.min(max, PAGE_MAX)) return new Enrolment.CertificatesAre(page, true);
      page.add(each.shown());
    }
    return new Enrolment.CertificatesAre(page, false);
  }

  Result apply(Command.OfCertificates change) {
    return switch (change) {
      case Command.AddToken add -> add(add);
      case Command.IssueCertificate issue -> issue(issue);
      case Command.EnterCertificate enter -> enter(enter);
      case Command.RevokeCertificates revoke -> revoke(revoke);
    };
  }

  private void forgetExpired(long nowSeconds) {
    tokens.values().removeIf(token -> token.expirySeconds() <= nowSeconds);
    issued.values().removeIf(each -> each.expirySeconds() <= nowSeconds);
  }

  private Result add(Command.AddToken add) {
    forgetExpired(add.nowSeconds());
    // A retry: its expiry stays.
    if (tokens.containsKey(add.token().secretHash())) return Result.Done.QUIETLY;
    if (tokens.size() >= TOKENS_MAX) {
      return new Result.Refused(
          ErrorCode.BUSY,
          "there are " + TOKENS_MAX + " tokens that have not expired; wait, or use fewer");
    }
    tokens.put(add.token().secretHash(), add.token());
    return Result.Done.QUIETLY;
  }

  private Result issue(Command.IssueCertificate issue) {
    Issued certificate = issue.certificate();
    if (issued.containsKey(certificate.serial())) return Result.Done.QUIETLY;
    Result.Refused refused = check(issue);
    if (refused != null) return refused;
    forgetExpired(certificate.issuedSeconds());
    Token token = tokens.get(issue.token());
    if (token != null && !isRetry(certificate, issue.token())) {
      tokens.put(
          token.secretHash(),
          new Token(
              token.secretHash(),
              token.role(),
              token.name(),
              token.expirySeconds(),
              token.usesLeft() - 1));
    }
    issued.put(certificate.serial(), certificate);
    return Result.Done.QUIETLY;
  }

  private Result enter(Command.EnterCertificate enter) {
    Issued certificate = enter.certificate();
    forgetExpired(enter.nowSeconds());
    if (issued.containsKey(certificate.serial())) return Result.Done.QUIETLY;
    Result.Refused refused = checkNumber(certificate);
    if (refused != null) return refused;
    // Its manager may not know yet that its CA is revoked.
    issued.put(
        certificate.serial(),
        isRevoked(certificate.issuer()) ? certificate.asRevoked() : certificate);
    return Result.Done.QUIETLY;
  }

  private boolean isRevoked(long serial) {
    Issued certificate = issued.get(serial);
    return certificate != null && certificate.revoked();
  }

  /** Why a certificate cannot be issued, or null. */
  public Result.@Nullable Refused check(Command.IssueCertificate issue) {
    Issued certificate = issue.certificate();
    if (isRevoked(certificate.issuer())) {
      return new Result.Refused(
          ErrorCode.UNAVAILABLE, "the CA of the manager that signed is revoked; try again");
    }
    Result.Refused refused =
        issue.renews() == 0
            ? checkToken(certificate, issue.token())
            : checkRenewal(certificate, issue.renews());
    return refused != null ? refused : checkNumber(certificate);
  }

  private Result.@Nullable Refused checkNumber(Issued certificate) {
    long now = certificate.issuedSeconds();
    int all = 0;
    int ofName = 0;
    for (Issued each : issued.values()) {
      if (each.expirySeconds() <= now) continue;
      all++;
      if (each.isFor(certificate.role(), certificate.name())) ofName++;
    }
    if (all < CERTIFICATES_MAX && ofName < CERTIFICATES_OF_A_NAME_MAX) return null;
    return new Result.Refused(
        ErrorCode.BUSY,
        "there are %d valid certificates, %d of them of %s, and no more are issued; wait until some expire"
            .formatted(all, ofName, named(certificate)));
  }

  private Result.@Nullable Refused checkToken(Issued certificate, Bytes secretHash) {
    Token token = tokens.get(secretHash);
    if (token == null || token.expirySeconds() <= certificate.issuedSeconds()) {
      return refused("the token is unknown or has expired; create another one");
    }
    if (token.role() != certificate.role()) {
      return refused(
          "the token is for role "
              + token.role().word()
              + ", not "
              + certificate.role().word()
              + "; create one for it");
    }
    if (!token.name().isEmpty() && !token.name().equals(certificate.name())) {
      return refused(
          "the token is for "
              + new CertificateName(token.role(), token.name())
              + ", not for "
              + named(certificate));
    }
    if (isRetry(certificate, secretHash)) return null;
    if (token.usesLeft() < 1) return refused("the token has been used; create another one");
    return checkName(certificate);
  }

  /** Whether the same key was enrolled by the same token: the answer may have been lost. */
  private boolean isRetry(Issued certificate, Bytes secretHash) {
    for (Issued each : issued.values()) {
      boolean same =
          each.isFor(certificate.role(), certificate.name())
              && each.keyHash().equals(certificate.keyHash())
              && each.token().equals(secretHash);
      if (same && !each.revoked()) return true;
    }
    return false;
  }

  /**
   * A token does not make its holder another server that exists. Users may have many machines. A
   * manager that has lost its disk enrols again: to revoke its former CA would revoke all that it
   * has signed.
   */
  private Result.@Nullable Refused checkName(Issued certificate) {
    if (certificate.role() == Role.USER || certificate.role() == Role.MANAGER) return null;
    for (Issued each : issued.values()) {
      boolean taken =
          each.isFor(certificate.role(), certificate.name())
              && !each.revoked()
              && each.expirySeconds() > certificate.issuedSeconds();
      if (taken) {
        return new Result.Refused(
            ErrorCode.EXISTS,
            "%s has a certificate already; if its key is lost, run 'forebay certificates revoke %s' first"
                .formatted(named(certificate), certificate.name()));
      }
    }
    return null;
  }

  private Result.@Nullable Refused checkRenewal(Issued certificate, long renews) {
    Issued before = issued.get(renews);
    boolean valid =
        before != null
            && !before.revoked()
            && before.expirySeconds() > certificate.issuedSeconds()
            && before.isFor(certificate.role(), certificate.name());
    return valid ? null : refused("the certificate cannot be renewed: it is not valid any more");
  }

  private static Result.Refused refused(String sentence) {
    return new Result.Refused(ErrorCode.NOT_PERMITTED, sentence);
  }

  private static CertificateName named(Issued certificate) {
    return new CertificateName(certificate.role(), certificate.name());
  }

  /**
   * Those that a request to revoke means and that are not revoked yet; with a CA, all that it has
   * signed, and those CAs have.
   */
  public List<Long> revocable(long serial, String name, List<Role> roles) {
    TreeSet<Long> meant = new TreeSet<>();
    for (Issued each : issued.values()) {
      boolean named = each.name().equals(name) && (roles.isEmpty() || roles.contains(each.role()));
      if (serial == 0 ? named : each.serial() == serial) meant.add(each.serial());
    }
    boolean more = !meant.isEmpty();
    while (more) {
      more = false;
      for (Issued each : issued.values()) {
        if (meant.contains(each.issuer())) more |= meant.add(each.serial());
      }
    }
    meant.removeIf(this::isRevoked);
    return List.copyOf(meant);
  }

  private Result revoke(Command.RevokeCertificates revoke) {
    for (long serial : revocable(revoke.serial(), revoke.name(), revoke.roles())) {
      issued.computeIfPresent(serial, (number, each) -> each.asRevoked());
    }
    forgetExpired(revoke.nowSeconds());
    return Result.Done.QUIETLY;
  }
}
