// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.link;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Cluster} that is connected when it is first needed, for processes that may start before
 * their manager does. Once connected, it outlives restarts of the manager. Any thread.
 */
public final class ClusterLink implements AutoCloseable {
  private final String uri;
  private final ForebayOptions options;
  private @Nullable Cluster cluster;
  private boolean closed;

  /** Connects nothing yet. */
  public ClusterLink(String uri, ForebayOptions options) {
    this.uri = uri;
    this.options = options;
  }

  /**
   * The connection.
   *
   * @throws IOException if no manager answers
   */
  public synchronized Cluster get() throws IOException {
    if (closed) throw new IOException("the connection to '" + uri + "' is closed");
    if (cluster == null) cluster = Cluster.connect(uri, options);
    return cluster;
  }

  /** The address of an instance of this cluster. */
  public String instanceUri(String name) {
    return ForebayUri.SCHEME + "://" + ForebayUri.parse(uri).authority() + "/" + name;
  }

  public ForebayOptions options() {
    return options;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (cluster != null) cluster.close();
    cluster = null;
  }
}
