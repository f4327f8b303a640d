// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.sqlite;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Scratch;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks that insert rows into SQLite databases, each row in a transaction of its own. A rank is the
 * {@code sqlite3} program.
 */
final class Inserts {
  private static final String PROGRAM = "sqlite3";
  private static final String TABLE =
      "CREATE TABLE pts1 (I INTEGER, DT TEXT, F1 INTEGER, F2 INTEGER);\n";

  /** How long a rank waits for others that write the same database. */
  private static final String PATIENCE = ".timeout 300000\n";

  /**
   * The ranks and their databases.
   *
   * @param shared whether all ranks write one database
   * @param journal SQLite's journal mode
   */
  record Case(int ranks, boolean shared, String journal) {
    String words() {
      String databases = ranks == 1 ? "" : shared ? ", one database" : ", one each";
      return ranks + (ranks == 1 ? " rank" : " ranks") + databases + ", " + journal;
    }
  }

  private final Path scripts;

  /** Keeps what the programs are to do in a directory. */
  Inserts(Path scripts) {
    this.scripts = scripts;
  }

  static void requirePossible() throws BenchmarkImpossible {
    for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, PROGRAM))) return;
    }
    throw new BenchmarkImpossible(
        "needs the program sqlite3; install the package of that name, or run"
            + " dev/optional-packages");
  }

  /** Inserts this many rows by all ranks together; returns rows per second. */
  double rate(Case what, int rows, Path directory) throws IOException, InterruptedException {
    Path place = Files.createDirectory(directory.resolve("databases"));
    try {
      List<Path> databases = new ArrayList<>();
      for (int i = 0; i < (what.shared ? 1 : what.ranks); i++) {
        Path database = place.resolve("rank" + i + ".db");
        databases.add(database);
        String first = "PRAGMA journal_mode=" + what.journal + ";\n" + TABLE;
        await(start(database, script("create", first)), database);
      }
      int each = Math.max(1, rows / what.ranks);
      Path script = script("insert" + each, PATIENCE + row().repeat(each));
      long start = System.nanoTime();
      List<Process> ranks = new ArrayList<>();
      for (int i = 0; i < what.ranks; i++) {
        ranks.add(start(databases.get(i % databases.size()), script));
      }
      for (int i = 0; i < what.ranks; i++) {
        await(ranks.get(i), databases.get(i % databases.size()));
      }
      return Rate.perSecond((long) each * what.ranks, System.nanoTime() - start);
    } finally {
      Scratch.delete(place);
    }
  }

  private static String row() {
    return "INSERT INTO pts1 (I, DT, F1, F2)"
        + " VALUES (1, CURRENT_TIMESTAMP, 6758, 9844343722998287);\n";
  }

  private Path script(String name, String text) throws IOException {
    return Files.writeString(scripts.resolve(name), text);
  }

  private Process start(Path database, Path script) throws IOException {
    return new ProcessBuilder(PROGRAM, "-batch", "-bail", "-init", "/dev/null", database.toString())
        .redirectInput(script.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static void await(Process process, Path database)
      throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IOException(database + ": sqlite3 said: " + said);
  }
}
