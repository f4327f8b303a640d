// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.mount.ForebayMount;
import io.forebay.server.LocalProcess;
import io.forebay.server.metrics.MetricsService;
import org.jspecify.annotations.Nullable;

/** A mount as a component that runs until it is unmounted. */
public final class MountProcess implements LocalProcess {
  private final ForebayMount mount;
  private final @Nullable MetricsService metrics;

  MountProcess(ForebayMount mount, @Nullable MetricsService metrics) {
    this.mount = mount;
    this.metrics = metrics;
  }

  @Override
  public @Nullable String failure() {
    return null;
  }

  @Override
  public boolean over() {
    return mount.isOver();
  }

  @Override
  public void close() {
    if (metrics != null) metrics.close();
    mount.end();
  }
}
