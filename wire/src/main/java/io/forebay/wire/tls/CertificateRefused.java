// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.security.cert.CertificateException;

/** A peer's certificate is not accepted. */
final class CertificateRefused extends CertificateException {
  private static final long serialVersionUID = 1;

  private final String sentence;

  CertificateRefused(String sentence, CertificateException cause) {
    super(sentence, cause);
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
