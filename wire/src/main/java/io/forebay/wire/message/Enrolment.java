// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.CertificateName.Role;
import java.util.List;

/**
 * Requests to a manager that has the cluster's own CA: tokens, certificates for processes that have
 * one, renewal, revocation.
 */
public interface Enrolment {
  /** A request to the manager's desk for certificates. */
  sealed interface Request extends Message
      permits CreateToken, Enrol, Renew, EnterCertificates, ListCertificates, Revoke, GetRevoked {}

  /**
   * An administrator makes a token. Answered with {@link TokenMade}; a retry gets the same answer.
   *
   * @param secretHash the SHA-256 of the token's secret, which stays with the administrator
   * @param role which kind of certificate its holder gets
   * @param name the only name that the certificate may have; empty if the holder chooses
   * @param ttlSeconds how long it can be used
   * @param uses how many certificates it is good for
   */
  record CreateToken(Bytes secretHash, Role role, String name, long ttlSeconds, int uses)
      implements Request {}

  /**
   * The token exists.
   *
   * @param authority the SHA-256 of the CA's certificate
   * @param expirySeconds since 1970, by the manager's clock
   */
  record TokenMade(Bytes authority, long expirySeconds) implements Message {}

  /**
   * A process asks for its first certificate; a manager for one of a CA, by which it signs its own.
   * Answered with {@link Enrolled}. Its sender has compared the manager's CA with the token before.
   *
   * @param hosts the names and addresses at which others dial it
   * @param key its public key, a SubjectPublicKeyInfo
   * @param proof a signature by the private key: {@link io.forebay.wire.authority.HolderKey#prove}
   */
  record Enrol(Bytes secret, Role role, String name, List<String> hosts, Bytes key, Bytes proof)
      implements Request {
    public Enrol {
      hosts = List.copyOf(hosts);
    }

    /** The secret does not appear in logs. */
    @Override
    public String toString() {
      return "Enrol[" + role.word() + " " + name + "]";
    }
  }

  /** The holder of a certificate, which its connection has proved, asks for the next one. */
  record Renew(List<String> hosts, Bytes key, Bytes proof) implements Request {
    public Renew {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * A new certificate.
   *
   * @param chain the certificate, and those of the CAs between it and the root, each in DER
   * @param authority the root's certificate, in DER
   */
  record Enrolled(List<Bytes> chain, Bytes authority) implements Message {
    public Enrolled {
      chain = List.copyOf(chain);
    }
  }

  /**
   * The administrator of a further manager's machine tells which certificates its CA has made for
   * that machine, so that they are listed and can be revoked. Answered with Done.
   */
  record EnterCertificates(List<OwnCertificate> certificates) implements Request {
    public EnterCertificates {
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * A certificate that a manager's CA has made for the manager's own machine: that of the manager,
   * or of its administrator.
   *
   * @param keyHash the SHA-256 of its public key
   * @param issuedSeconds since 1970
   * @param expirySeconds since 1970
   * @param issuer the serial number of the CA's certificate that signed it
   */
  record OwnCertificate(
      long serial,
      Role role,
      String name,
      Bytes keyHash,
      long issuedSeconds,
      long expirySeconds,
      long issuer) {}

  /**
   * An administrator asks for certificates in the order of their serial numbers, after the given
   * one. Answered with {@link CertificatesAre}.
   */
  record ListCertificates(long after, int max) implements Request {}

  /**
   * A certificate that was issued and has not expired.
   *
   * @param issuedSeconds since 1970
   * @param expirySeconds since 1970
   * @param issuer the serial number of the CA's certificate that signed it
   * @param authority whether it is the certificate of a CA
   */
  record Certificate(
      long serial,
      Role role,
      String name,
      long issuedSeconds,
      long expirySeconds,
      boolean revoked,
      long issuer,
      boolean authority) {}

  record CertificatesAre(List<Certificate> certificates, boolean more) implements Message {
    public CertificatesAre {
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * An administrator revokes certificates. Answered with {@link Revoked}, or Failed with NOT_FOUND.
   *
   * @param serial of one certificate; 0 for all of that name
   * @param name empty if a serial number is given
   * @param roles the roles that are meant by the name; empty for all
   */
  record Revoke(long serial, String name, List<Role> roles) implements Request {
    public Revoke {
      roles = List.copyOf(roles);
    }
  }

  /**
   * How many certificates are revoked now that were valid before. With a CA all are that it has
   * signed.
   */
  record Revoked(int count) implements Message {}

  /** Asks which certificates are revoked. Answered with {@link RevokedAre}. */
  record GetRevoked() implements Request {}

  /** The serial numbers of all revoked certificates that have not expired. */
  record RevokedAre(List<Long> serials) implements Message {
    public RevokedAre {
      serials = List.copyOf(serials);
    }
  }
}
