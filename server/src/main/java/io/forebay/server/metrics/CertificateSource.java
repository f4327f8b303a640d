// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.metrics.Source;
import io.forebay.wire.tls.TlsFiles;
import java.time.Instant;

/** Until when the certificate of a process is valid. */
public final class CertificateSource implements Source {
  static final Metric EXPIRES =
      Metric.gauge(
          "forebay_certificate_expiry_timestamp_seconds",
          "When the certificate of a process expires, in seconds since 1970.",
          "process");

  private final String process;
  private final TlsFiles files;

  public CertificateSource(String process, TlsFiles files) {
    this.process = process;
    this.files = files;
  }

  @Override
  public void collect(Samples to) {
    Instant expiry = files.identity().expiry();
    if (expiry != null) to.add(EXPIRES, expiry.getEpochSecond(), process);
  }
}
