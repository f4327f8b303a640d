// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.http;

import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Who may read behind a door.
 *
 * @param tls for connections with TLS, whose callers need a certificate; null for none
 * @param reader whether the holder of a verified certificate may read; not asked without TLS
 */
public record Admission(@Nullable SSLContext tls, Reader reader) {
  /** Every caller, without TLS. */
  public static final Admission OPEN = new Admission(null, chain -> false);

  /** Decides by the caller's certificate and those of its issuers, which have been verified. */
  public interface Reader {
    boolean mayRead(List<X509Certificate> chain);
  }
}
