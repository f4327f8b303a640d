// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.process;

import io.forebay.metrics.Registry;
import io.forebay.metrics.http.Admission;
import io.forebay.metrics.http.HttpDoor;
import io.forebay.metrics.http.Page;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry of a process behind a door. Any thread. */
public final class MetricsDoor implements AutoCloseable {
  /**
   * Where a door is.
   *
   * @param address port 0 is any free one
   * @param orAnyPort whether another free port will do if that one is taken: several processes of
   *     one machine have the same default
   */
  public record Place(InetSocketAddress address, boolean orAnyPort) {}

  private static final Logger LOG = LoggerFactory.getLogger(MetricsDoor.class);

  private final HttpDoor door;
  private final boolean tls;

  private MetricsDoor(HttpDoor door, boolean tls) {
    this.door = door;
    this.tls = tls;
  }

  /** Opens it, and logs where it is. */
  public static MetricsDoor open(Place place, Admission admission, Registry registry)
      throws IOException {
    HttpDoor door = openAt(place, admission, Map.of(MetricsPage.PATH, new MetricsPage(registry)));
    MetricsDoor opened = new MetricsDoor(door, admission.tls() != null);
    LOG.info("metrics are at {}", opened.url());
    return opened;
  }

  private static HttpDoor openAt(Place place, Admission admission, Map<String, Page> pages)
      throws IOException {
    InetSocketAddress at = place.address();
    try {
      return HttpDoor.open(at, admission, pages);
    } catch (BindException taken) {
      if (!place.orAnyPort()) throw taken;
      return HttpDoor.open(new InetSocketAddress(at.getAddress(), 0), admission, pages);
    }
  }

  /** The address of the page with the metrics. */
  public String url() {
    InetSocketAddress at = door.address();
    String host = at.getAddress().getHostAddress();
    return "%s://%s:%d%s"
        .formatted(
            tls ? "https" : "http",
            host.contains(":") ? "[" + host + "]" : host,
            at.getPort(),
            MetricsPage.PATH);
  }

  @Override
  public void close() {
    door.close();
  }
}
