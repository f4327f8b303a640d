// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.mount.TestMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database on a mount that several processes write at once, while one of them is killed, and a
 * server of the ring too: what was committed is there, and the database is sound.
 */
@Timeout(180)
class SqliteTest {
  private static final int WRITERS = 3;
  private static final int INSERTS = 30;

  @TempDir static Path local;

  private static TestMount mount;
  private static Programs programs;

  @BeforeAll
  static void start() throws Exception {
    Programs.need("sqlite3", "stdbuf");
    programs = new Programs(local);
    mount = TestMount.processes(TestMount.DEFAULT_CACHE);
  }

  @AfterAll
  static void end() throws Exception {
    if (mount != null) mount.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "wal"})
  void whatWasCommittedIsThere(String journal) throws Exception {
    Path database = Files.createDirectory(mount.directory().resolve(journal)).resolve("data.db");
    try (SqliteWriter first = new SqliteWriter(programs, database)) {
      assertThat(first.ask("PRAGMA journal_mode=" + journal + ";")).isEqualTo(journal);
      first.ask("CREATE TABLE t(writer INTEGER, number INTEGER, text TEXT);");
      first.ask("CREATE INDEX i ON t(writer, number);");
    }
    AtomicInteger committed = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1)) {
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        writers.add(threads.submit(() -> write(database, number, committed)));
      }
      Future<?> killer = threads.submit(() -> killServer(committed));
      for (int i = 0; i < WRITERS; i++) check(database, i, writers.get(i).get());
      killer.get();
    }
    try (SqliteWriter last = new SqliteWriter(programs, database)) {
      assertThat(last.ask("PRAGMA integrity_check;")).isEqualTo("ok");
      assertThat(last.ask("SELECT count(*) FROM t;"))
          .isEqualTo(last.ask("SELECT count(*) FROM t NOT INDEXED;"));
    }
  }

  /** Inserts row by row, each in a transaction of its own; gives how many were committed. */
  private static int write(Path database, int number, AtomicInteger committed) throws IOException {
    int done = 0;
    SqliteWriter writer = new SqliteWriter(programs, database);
    try {
      while (done < INSERTS) {
        if (number == 0 && done == INSERTS / 2) {
          writer = killed(writer, database);
        }
        assertThat(writer.ask(insert(number, done + 1))).isEmpty();
        done++;
        committed.incrementAndGet();
      }
      return done;
    } finally {
      writer.close();
    }
  }

  private static String insert(int writer, int number) {
    return "INSERT INTO t VALUES(%d, %d, '%s');".formatted(writer, number, "text ".repeat(40));
  }

  /** Kills a writer within a transaction that has changed many pages; gives another one. */
  private static SqliteWriter killed(SqliteWriter writer, Path database) throws IOException {
    writer.ask("PRAGMA cache_size=5;");
    writer.ask("BEGIN IMMEDIATE;");
    writer.ask(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
            + " INSERT INTO t SELECT -1, i, 'never committed' FROM n;");
    writer.close();
    return new SqliteWriter(programs, database);
  }

  private static Void killServer(AtomicInteger committed) throws Exception {
    while (committed.get() < INSERTS * WRITERS / 4) Thread.sleep(5);
    mount.killServer(0);
    int before = committed.get();
    while (committed.get() < Math.min(before + 5, INSERTS * WRITERS)) Thread.sleep(5);
    mount.restartServer(0);
    return null;
  }

  private static void check(Path database, int writer, int committed) throws IOException {
    try (SqliteWriter reader = new SqliteWriter(programs, database)) {
      String where = " FROM t WHERE writer = " + writer + ";";
      assertThat(reader.ask("SELECT count(DISTINCT number)" + where)).isEqualTo("" + committed);
      assertThat(reader.ask("SELECT count(*)" + where)).isEqualTo("" + committed);
      assertThat(reader.ask("SELECT count(*) FROM t WHERE writer = -1;")).isEqualTo("0");
    }
  }
}
