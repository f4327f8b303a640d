// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.certificate;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.CertificateName;
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
  }

  /** How it ended. */
  sealed interface Answer {
    /** The certificate and that of the CA, in DER. */
    record Signed(Bytes certificate, Bytes authority, long expirySeconds) implements Answer {}

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
        public void revoked(List<Long> serials) {
          // Certificates of a site's PKI are not revoked here.
        }
      };

  /** The SHA-256 of the CA's certificate; empty if there is no CA. */
  Bytes authority();

  /** Verifies the proof and signs; the answer comes on the loop of the caller. */
  void sign(Request request, Consumer<Answer> answer);

  /** These certificates, and no others, are revoked from now on. */
  void revoked(List<Long> serials);
}
