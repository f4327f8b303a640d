// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.TestSeed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Contents, pairs, sessions and room against a model that counts every byte. */
class ContentModelTest {
  private static final int RUNS = 20;
  private static final int OPERATIONS = 400;

  @Test
  void randomChangesMatchTheModel() throws MalformedFields {
    long seed = TestSeed.first("ContentModelTest");
    System.out.println("ContentModelTest: -Dforebay.seed=" + seed);
    for (int run = 0; run < TestSeed.runs(RUNS); run++) {
      try {
        new ContentRun(new Random(seed + run)).run(OPERATIONS);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("failed with -Dforebay.seed=" + (seed + run), e);
      }
    }
  }
}
