// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.server.folder.ServiceFolder;
import io.forebay.wire.authority.CertificateMaker;
import java.io.IOException;

/**
 * Finds the library that signs: on the class path, or in the folder {@code authority} beside the
 * folder of this program's jars. Any thread.
 */
public final class CertificateMakers {
  private static final ServiceFolder<CertificateMaker> FOLDER =
      new ServiceFolder<>(CertificateMaker.class, "authority");

  private CertificateMakers() {}

  /** The one of this program; an exception says what is missing. */
  public static CertificateMaker find() throws IOException {
    CertificateMaker found = FOLDER.find();
    if (found != null) return found;
    throw new IOException(
        "this installation cannot sign certificates: %s is missing; build or install it, or set tls-certificate, tls-key and tls-ca"
            .formatted(FOLDER.described()));
  }
}
