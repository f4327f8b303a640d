// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Random operations on a model directory and on a tested one, in the spirit of fsx and fsstress:
 * every result, every errno, every byte and attribute must be the same. One thread runs it.
 */
public final class RandomOperations implements AutoCloseable {
  private static final int COMPARE_EVERY = 250;

  /** Of so many operations so many are on open files and on names, and one closes a file. */
  private static final int FILES_SHARE = 12;

  private static final int NAMES_SHARE = 8;

  private final Path model;
  private final Path tested;
  private final Twins twins;
  private final Abilities abilities;
  private final OpenFiles files;
  private final Names names;

  /** Begins in two new directories below the given ones. */
  public RandomOperations(Path modelParent, Path testedParent, long seed) throws IOException {
    this.model = Files.createTempDirectory(modelParent, "model-");
    this.tested = Files.createTempDirectory(testedParent, "tested-");
    this.twins = new Twins(model, tested, new SplittableRandom(seed), OpenFiles.TRANSFER_BYTES_MAX);
    this.abilities = Abilities.of(twins);
    this.files = new OpenFiles(twins, abilities);
    this.names = new Names(twins, abilities, files);
  }

  /** What neither is asked for because one of them cannot do it. */
  public List<String> lacking() {
    return abilities.lacking();
  }

  /** How often each operation succeeded so far, by its call's name. */
  public Map<String, Integer> done() {
    return twins.done();
  }

  /** Does so many operations, and compares everything every now and then. */
  public void run(int operations) {
    for (int i = 1; i <= operations; i++) {
      int choice = twins.random.nextInt(FILES_SHARE + NAMES_SHARE + 1);
      if (choice == 0) files.close();
      else if (choice <= NAMES_SHARE || !files.operate()) names.operate();
      if (i % COMPARE_EVERY == 0) compare();
    }
    compare();
  }

  /** Compares everything below the two directories. */
  public void compare() {
    new TreeComparison(twins, abilities).compare();
  }

  /** Closes all files, so that the tested directory may go and come back. */
  public void closeFiles() {
    files.closeAll();
  }

  /** Removes both directories. */
  @Override
  public void close() throws IOException {
    twins.close();
    for (Path root : List.of(model, tested)) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
      }
    }
  }
}
