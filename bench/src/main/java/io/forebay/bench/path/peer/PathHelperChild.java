// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.bench.process.ChildDesk;
import io.forebay.wire.Address;
import java.io.IOException;

/** The program of {@link LocalHelper}: a helper until standard input ends. */
final class PathHelperChild {
  private PathHelperChild() {}

  public static void main(String[] arguments) throws IOException {
    Address at = Address.parse(arguments[0]);
    try (PathHelper helper =
        PathHelper.listen(at, problem -> System.err.println("forebay: " + problem))) {
      ChildDesk.serve(helper.address().toString());
    }
  }
}
