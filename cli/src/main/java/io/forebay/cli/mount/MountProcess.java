// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.mount.ForebayMount;
import io.forebay.server.LocalProcess;
import org.jspecify.annotations.Nullable;

/** A mount as a component that runs until it is unmounted. */
public final class MountProcess implements LocalProcess {
  private final ForebayMount mount;

  MountProcess(ForebayMount mount) {
    this.mount = mount;
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
    mount.end();
  }
}
