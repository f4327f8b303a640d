package io.forebay.namespace;

import io.forebay.base.fields.MalformedFields;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Contents, pairs, sessions and room against a model that counts every byte. */
class ContentModelTest {
  private static final int RUNS = 20;
  private static final int OPERATIONS = 400;

  @Test
  void randomChangesMatchTheModel() throws MalformedFields {
    Long given = Long.getLong("forebay.seed");
    long seed = given != null ? given : new SplittableRandom().nextLong();
    System.out.println("ContentModelTest: -Dforebay.seed=" + seed);
    for (int run = 0; run < (given != null ? 1 : RUNS); run++) {
      try {
        new ContentRun(new Random(seed + run)).run(OPERATIONS);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("failed with -Dforebay.seed=" + (seed + run), e);
      }
    }
  }
}
