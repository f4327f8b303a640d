// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.certificate;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.Enrolment;
import java.util.List;
import java.util.function.Consumer;

/** The CA as the manager's loop sees it: signatures take long, so they are answered later. */
public interface Signer {
  /**
   * What is to be signed.
   *
   * @param key the public key, and a proof that the requesting process has the private one
   */
  record Request(long serial, CertificateName name, List<String> hosts, Bytes key, Bytes proof) {
    public Request {
      hosts = List.copyOf(hosts);
    }

    /** Whether a CA is asked for: a manager signs its own certificates by it, and others. */
    public boolean authority() {
      return name.role() == CertificateName.Role.MANAGER;
    }
  }

  /** How it ended. */
  sealed interface Answer {
    /**
     * It is signed.
     *
     * @param chain the certificate, and those of the CAs between it and the root, each in DER
     * @param authority the root's certificate, in DER
     * @param issuer the serial number of the CA's certificate that signed it
     */
    record Signed(List<Bytes> chain, Bytes authority, long issuer, long expirySeconds)
        implements Answer {
      public Signed {
        chain = List.copyOf(chain);
      }
    }

    /** Nothing was signed; a sentence says why. */
    record NotSigned(String sentence) implements Answer {}
  }

  /** Of a manager without a CA. */
  Signer NONE =
      new Signer() {
        @Override
        public Bytes authority() {
          return Bytes.EMPTY;
        }

        @Override
        public void sign(Request request, Consumer<Answer> answer) {
          answer.accept(new Answer.NotSigned("this manager has no CA"));
        }

        @Override
        public List<Enrolment.OwnCertificate> own() {
          return List.of();
        }

        @Override
        public void whenOwnChanges(Runnable action) {
          // It has none.
        }

        @Override
        public void revoked(List<Long> serials) {
          // Certificates of a site's PKI are not revoked here.
        }
      };

  /** The SHA-256 of the root's certificate, the same at all managers; empty if there is no CA. */
  Bytes authority();

  /** Verifies the proof and signs; the answer comes on the loop of the caller. */
  void sign(Request request, Consumer<Answer> answer);

  /** The certificates of the manager's own machine that are in use. */
  List<Enrolment.OwnCertificate> own();

  /** Sets what is called, on the loop of the caller, after {@link #own} has changed. */
  void whenOwnChanges(Runnable action);

  /**
   * These certificates, and no others, are revoked from now on. Those among {@link #own} are
   * replaced soon.
   */
  void revoked(List<Long> serials);
}
