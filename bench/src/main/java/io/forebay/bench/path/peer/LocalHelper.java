// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.bench.process.Child;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A helper in a process of its own on this machine. */
public final class LocalHelper implements AutoCloseable {
  private final Child child;

  private LocalHelper(Child child) {
    this.child = child;
  }

  /** Starts one; {@code directory} gets its temporary files. */
  public static LocalHelper start(Address at, Path directory) throws IOException {
    return new LocalHelper(Child.start(PathHelperChild.class, directory, List.of(at.toString())));
  }

  public Address address() {
    return Address.parse(child.where());
  }

  /** The processor time that it has used so far. */
  public long cpuNanos() throws IOException {
    return child.cpuNanos();
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
