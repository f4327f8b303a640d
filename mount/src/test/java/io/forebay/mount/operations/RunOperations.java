// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Runs random operations on any directory: {@code RunOperations MODEL TESTED [OPERATIONS [SEED]]}.
 * With {@code --pause} as a fifth word it waits for a line of input when all files are closed, so
 * that the file system may go and come back, and compares everything then.
 */
final class RunOperations {
  /** What it says at each step. */
  static final String LEFT_OUT = "left out: ";

  static final String SUCCEEDED = "succeeded: ";
  static final String CLOSED = "closed";
  static final String SAME = "the same";
  static final String PAUSE = "--pause";

  private static final int OPERATIONS = 20_000;

  /** Few operations may leave out rare ones: then as many again are done, up to so often. */
  private static final int ROUNDS_MAX = 10;

  private RunOperations() {}

  public static void main(String[] words) throws IOException {
    if (words.length < 2) {
      System.err.println("usage: RunOperations MODEL TESTED [OPERATIONS [SEED]]");
      System.exit(2);
    }
    int operations = words.length > 2 ? Integer.parseInt(words[2]) : OPERATIONS;
    long seed = words.length > 3 ? Long.parseLong(words[3]) : new SplittableRandom().nextLong();
    System.out.println("seed " + seed);
    RandomOperations run = new RandomOperations(Path.of(words[0]), Path.of(words[1]), seed);
    System.out.println(LEFT_OUT + run.lacking());
    run.run(operations);
    for (int round = 1; round < ROUNDS_MAX && !hasWrittenToMaps(run); round++) run.run(operations);
    System.out.println(SUCCEEDED + run.done());
    run.closeFiles();
    System.out.println(CLOSED);
    if (words.length > 4 && words[4].equals(PAUSE)) awaitLine();
    run.compare();
    run.close();
    System.out.println(SAME);
  }

  private static boolean hasWrittenToMaps(RandomOperations run) {
    boolean maps = run.lacking().stream().noneMatch(lacking -> lacking.startsWith("mmap"));
    return !maps || run.done().containsKey("poke");
  }

  private static void awaitLine() throws IOException {
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
  }
}
