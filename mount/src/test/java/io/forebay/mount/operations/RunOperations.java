package io.forebay.mount.operations;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Runs random operations on any directory: {@code RunOperations MODEL TESTED [OPERATIONS [SEED]]}.
 */
final class RunOperations {
  private static final int OPERATIONS = 20_000;

  private RunOperations() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 2) {
      System.err.println("usage: RunOperations MODEL TESTED [OPERATIONS [SEED]]");
      System.exit(2);
    }
    int operations = arguments.length > 2 ? Integer.parseInt(arguments[2]) : OPERATIONS;
    long seed =
        arguments.length > 3 ? Long.parseLong(arguments[3]) : new SplittableRandom().nextLong();
    System.out.println("seed " + seed);
    RandomOperations run =
        new RandomOperations(Path.of(arguments[0]), Path.of(arguments[1]), seed);
    System.out.println("left out: " + run.lacking());
    run.run(operations);
    System.out.println("succeeded: " + run.done());
    run.closeFiles();
    run.compare();
    run.close();
    System.out.println(operations + " operations: the same");
  }
}
