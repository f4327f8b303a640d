// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.mount.TestMount;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that people use, unchanged, on a mount of a ring with two copies of everything. */
@Timeout(120)
class ProgramsTest {
  private static final long SEED = 7;

  @TempDir static Path local;

  private static TestMount mount;
  private static Programs programs;
  private static Path source;

  private Path place;

  @BeforeAll
  static void start() throws Exception {
    programs = new Programs(Files.createDirectory(local.resolve("scratch")));
    source = Files.createDirectory(local.resolve("source"));
    Manifest.plant(source, new SplittableRandom(SEED));
    mount = TestMount.embedded(TestMount.DEFAULT_CACHE);
  }

  @AfterAll
  static void end() throws Exception {
    if (mount != null) mount.close();
  }

  @BeforeEach
  void makePlace(TestInfo test) throws IOException {
    place = Files.createDirectory(mount.directory().resolve(test.getTestMethod().get().getName()));
  }

  @Test
  void tarPacksAndUnpacks() throws Exception {
    Programs.need("tar", "find");
    Path archive = place.resolve("all.tar");
    programs.run(source, "tar", "--format=posix", "-cf", archive.toString(), ".");
    Path unpacked = Files.createDirectory(place.resolve("unpacked"));
    programs.run(unpacked, "tar", "-xpf", archive.toString());
    assertThat(Manifest.of(programs, unpacked)).isEqualTo(Manifest.of(programs, source));
    assertThat(Manifest.linked(unpacked.resolve("hard"), unpacked.resolve("a/b/c/small1")))
        .isTrue();
    programs.run(unpacked, "tar", "--compare", "-f", archive.toString());
  }

  @Test
  void copiesAreComplete() throws Exception {
    Programs.need("cp", "find", "diff");
    programs.run(source, "cp", "-a", ".", place.resolve("copy").toString());
    programs.run(place, "cp", "-a", "copy", "again");
    assertThat(Manifest.of(programs, place.resolve("again")))
        .isEqualTo(Manifest.of(programs, source));
    programs.run(
        place,
        "diff",
        "-r",
        "--no-dereference",
        source.toString(),
        place.resolve("copy").toString());
    programs.run(place, "mv", "copy", "moved");
    assertThat(Manifest.of(programs, place.resolve("moved")))
        .isEqualTo(Manifest.of(programs, source));
    programs.run(place, "rm", "-r", "again", "moved");
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void rsyncHasNothingToDoTheSecondTime() throws Exception {
    Programs.need("rsync", "find");
    String[] command = {"rsync", "-aH", "--itemize-changes", source + "/", place + "/copy/"};
    assertThat(programs.run(place, command)).contains("file 5");
    assertThat(Manifest.of(programs, place.resolve("copy")))
        .isEqualTo(Manifest.of(programs, source));
    assertThat(programs.run(place, command)).isBlank();
    Files.writeString(place.resolve("copy/a/b/c/small7"), "changed");
    assertThat(programs.run(place, command)).contains("small7").doesNotContain("small8");
  }

  @Test
  void ddWritesWhatItReads() throws Exception {
    Programs.need("dd", "cmp");
    Path from = source.resolve("a/b/c/file 7");
    for (String how : new String[] {"bs=64k conv=fsync", "bs=1M conv=fdatasync", "bs=777"}) {
      String[] options = how.split(" ", -1);
      run(place, options, "dd", "if=" + from, "of=" + place.resolve("out"));
      programs.run(place, "cmp", from.toString(), "out");
      run(place, options, "dd", "if=out", "of=" + local.resolve("back"));
      programs.run(place, "cmp", from.toString(), local.resolve("back").toString());
    }
    programs.run(place, "dd", "if=" + from, "of=out", "bs=4k", "oflag=append", "conv=notrunc");
    assertThat(Files.size(place.resolve("out"))).isEqualTo(2 * Files.size(from));
    programs.run(place, "dd", "if=/dev/zero", "of=direct", "bs=64k", "count=16", "oflag=direct");
    programs.run(place, "cmp", "-n", Integer.toString(1 << 20), "direct", "/dev/zero");
  }

  private static void run(Path directory, String[] options, String... command)
      throws IOException, InterruptedException {
    String[] all = Arrays.copyOf(command, command.length + options.length);
    System.arraycopy(options, 0, all, command.length, options.length);
    programs.run(directory, all);
  }

  @Test
  void linesThatManyAppendAreWhole() throws Exception {
    Programs.need("sh", "sort");
    programs.run(
        place,
        "sh",
        "-c",
        "for p in 1 2 3 4; do (for i in $(seq 25); do echo $p line $i >> log; done) & done; wait");
    List<String> expected = new ArrayList<>();
    for (int p = 1; p <= 4; p++) {
      for (int i = 1; i <= 25; i++) expected.add(p + " line " + i);
    }
    assertThat(Files.readAllLines(place.resolve("log")))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void fioFindsWhatItWrote() throws Exception {
    Programs.need("fio");
    for (String engine : new String[] {"psync", "mmap"}) {
      programs.run(
          place,
          "fio",
          "--name=" + engine,
          "--ioengine=" + engine,
          "--size=8m",
          "--rw=randrw",
          "--bsrange=4k-64k",
          "--fsync=16",
          "--verify=crc32c",
          "--verify_fatal=1",
          "--randseed=" + SEED,
          "--output-format=terse");
    }
  }

  @Test
  void gitCommitsAndPacks() throws Exception {
    Programs.need("git");
    Path origin = Files.createDirectory(local.resolve("origin"));
    programs.run(origin, "git", "init", "-q", "-b", "main");
    commit(origin, "One");
    programs.run(place, "git", "clone", "-q", "--no-local", origin.toString(), "clone");
    Path clone = place.resolve("clone");
    for (int i = 0; i < 5; i++) commit(clone, "More " + i);
    programs.run(clone, "git", "checkout", "-q", "-b", "side", "HEAD~2");
    Files.writeString(clone.resolve("on the side"), "apart");
    programs.run(clone, "git", "add", "-A");
    identified(clone, "commit", "-q", "-m", "Side");
    identified(clone, "merge", "-q", "-m", "Join", "main");
    programs.run(clone, "git", "gc", "-q", "--prune=now");
    programs.run(clone, "git", "fsck", "--full", "--strict");
    assertThat(programs.run(clone, "git", "status", "--porcelain")).isBlank();
    Path back = local.resolve("back-clone");
    programs.run(place, "git", "clone", "-q", "--no-local", "clone", back.toString());
    String[] tree = {"git", "rev-parse", "HEAD^{tree}"};
    assertThat(programs.run(back, tree)).isEqualTo(programs.run(clone, tree));
    programs.run(back, "git", "fsck", "--full", "--strict");
  }

  private static void commit(Path repository, String message)
      throws IOException, InterruptedException {
    for (int i = 0; i < 20; i++) {
      Path file = repository.resolve("folder " + i % 4).resolve("file" + i);
      Files.createDirectories(file.getParent());
      Files.writeString(file, (message + " in file " + i + "\n").repeat(1 + i * i));
    }
    programs.run(repository, "git", "add", "-A");
    identified(repository, "commit", "-q", "-m", message);
  }

  private static void identified(Path repository, String... arguments)
      throws IOException, InterruptedException {
    String[] git = {"git", "-c", "user.name=Test", "-c", "user.email=test@example.org"};
    run(repository, arguments, git);
  }

  @Test
  void pythonMapsFiles() throws Exception {
    Programs.need("python3");
    programs.run(place, "python3", resource("maps.py").toString());
  }

  @Test
  void ranksOfMpiShareAFile() throws Exception {
    Programs.need("mpicc", "mpirun");
    Path program = local.resolve("strided");
    programs.run(local, "mpicc", "-O1", "-o", program.toString(), resource("strided.c").toString());
    assertThat(
            programs.run(
                place,
                "mpirun",
                "--allow-run-as-root",
                "--oversubscribe",
                "-n",
                "4",
                program.toString(),
                place.resolve("shared").toString()))
        .contains("4 ranks: right");
  }

  private static Path resource(String name) throws IOException {
    Path file = local.resolve(name);
    try (InputStream in = ProgramsTest.class.getResourceAsStream(name)) {
      Files.copy(in, file);
    }
    return file;
  }
}
