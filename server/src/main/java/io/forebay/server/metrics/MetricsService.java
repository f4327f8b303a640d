// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.Registry;
import io.forebay.metrics.http.Admission;
import io.forebay.metrics.process.MetricsDoor;
import io.forebay.metrics.process.ProcessSource;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of a process behind its door, if it has one. Any thread. */
public final class MetricsService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsService.class);

  private final MetricsDoor door;

  private MetricsService(MetricsDoor door) {
    this.door = door;
  }

  /**
   * Opens the door. The message of an exception is a sentence for the operator.
   *
   * @param process what the process is, such as server
   * @param insecure whether programs of other machines may read without a proof
   * @param tls the certificates of the process; null for none
   * @param registry what it tells; that of the process itself is added
   * @return null if it is switched off
   */
  public static @Nullable MetricsService open(
      String process,
      MetricsOptions options,
      boolean insecure,
      @Nullable TlsFiles tls,
      Registry registry)
      throws IOException {
    Address.Inet listen = options.listen();
    if (listen == null) return null;
    InetAddress resolved = resolve(listen);
    Admission admission = admission(listen, resolved, options, insecure, tls);
    registry.add(new ProcessSource(process));
    InetSocketAddress at = new InetSocketAddress(resolved, listen.port());
    try {
      return new MetricsService(
          MetricsDoor.open(new MetricsDoor.Place(at, options.orAnyPort()), admission, registry));
    } catch (BindException e) {
      throw new IOException(
          "metrics-listen is %s, which cannot be listened at (%s); choose another address, or none"
              .formatted(listen, e.getMessage()),
          e);
    }
  }

  private static InetAddress resolve(Address.Inet at) throws IOException {
    try {
      return InetAddress.getByName(at.host());
    } catch (UnknownHostException e) {
      throw new IOException("metrics-listen names no known host: '" + at.host() + "'", e);
    }
  }

  private static Admission admission(
      Address.Inet listen,
      InetAddress resolved,
      MetricsOptions options,
      boolean insecure,
      @Nullable TlsFiles tls)
      throws IOException {
    if (resolved.isLoopbackAddress()) return Admission.OPEN;
    if (tls != null) return MetricsTls.admission(tls, options.users());
    if (!insecure) {
      throw new IOException(
          ("metrics-listen is %s, where other machines would read without TLS; use 127.0.0.1, give"
                  + " this process certificates, or say --insecure if that network is trusted")
              .formatted(listen));
    }
    LOG.warn(
        "INSECURE: every program that reaches {} can read the metrics of this process", listen);
    return Admission.OPEN;
  }

  /** The address of the page with the metrics. */
  public String url() {
    return door.url();
  }

  @Override
  public void close() {
    door.close();
  }
}
