// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.cost.Calibration;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.flow.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes some bytes to a file like a bundle's, which never gets its final name. A store that fails
 * is not measured: the step then reports it.
 */
final class StoreProbe implements Calibration.WriteProbe {
  private static final Logger LOG = LoggerFactory.getLogger(StoreProbe.class);
  private static final String SUFFIX = ".probe";
  private static final long BYTES_MAX = 256 << 10;
  private static final double NANOS = 1e9;

  private final Bundle bundle;
  private final BundleFiles files;
  private final String name;
  private final Memory memory;
  private final MonotonicClock clock;
  private @Nullable BundleDraft draft;

  /** Probes with a file of this bundle beside its final name. */
  StoreProbe(Bundle bundle, BundleFiles files, String name, BundleGround ground) {
    this.bundle = bundle;
    this.files = files;
    this.name = name + SUFFIX;
    memory = ground.memory();
    clock = ground.clock();
  }

  @Override
  public long create() {
    long start = clock.nanos();
    try {
      draft = files.create(bundle, name);
      return clock.nanos() - start;
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot probe the store of {}", name, e);
      return 0;
    }
  }

  @Override
  public double write() {
    if (draft == null) return 0;
    PlaneVariable variable = bundle.variables().getFirst();
    long variableBytes = bundle.grid().elements() * variable.planes() * variable.type().sizeBytes();
    try (Arena arena = Arena.ofShared()) {
      long bytes = Math.min(BYTES_MAX, variableBytes);
      MemorySegment zeros =
          memory.allocate(arena, bytes / variable.type().sizeBytes() * variable.type().sizeBytes());
      long start = clock.nanos();
      draft.write(0, 0, zeros);
      return zeros.byteSize() * NANOS / Math.max(1, clock.nanos() - start);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot write to the store of {}", name, e);
      return 0;
    }
  }

  @Override
  public void remove() {
    if (draft == null) return;
    attempt(draft::close);
    attempt(draft::discard);
  }

  private interface Step {
    void run() throws IOException;
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot remove what probed the store of {}", name, e);
    }
  }
}
