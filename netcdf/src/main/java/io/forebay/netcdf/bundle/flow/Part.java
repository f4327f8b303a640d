// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.util.List;

/** One of the parts of a step that go on side by side in a rank. */
interface Part {
  /** Does what is possible without waiting; true if that was anything. */
  boolean advance();

  /** Whether it has nothing left to do. */
  boolean isDone();

  /** Adds the operations whose end lets it go on. */
  void pending(List<Operation> operations);
}
