// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the compiler does not see: names, comments and leftovers, over all modules' sources. */
class TidinessTest {
  private static final int FILE_LINES_MAX = 600;
  private static final int PACKAGE_FILES_MAX = 20;

  private static final Set<String> VAGUE_NAMES = Set.of("util", "impl", "common", "helper", "misc");

  private static final String LICENCE = "// SPDX-License-Identifier: Apache-2.0\n\n";

  /** Modules that talk to a person at a terminal, or in the output of tests. */
  private static final Set<String> PRINTING_MODULES = Set.of("cli", "bench", "testing");

  private record Source(Path file, String text) {
    boolean isMain() {
      return file.startsWith(module() + "/src/main");
    }

    String module() {
      return file.getName(0).toString();
    }
  }

  private static Path root;
  private static List<Source> sources;

  @BeforeAll
  static void readSources() throws IOException {
    root = projectRoot();
    sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(m -> Files.isDirectory(m.resolve("src"))).toList()) {
        readJavaFiles(module.resolve("src"));
      }
    }
    assertThat(sources).hasSizeGreaterThan(10);
  }

  private static void readJavaFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        sources.add(new Source(root.relativize(file), Files.readString(file)));
      }
    }
  }

  private static Path projectRoot() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("LICENSE"))) {
      at = at.getParent();
      if (at == null) throw new IllegalStateException("not inside the project");
    }
    return at;
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    Set<Path> packages = new TreeSet<>();
    Set<Path> explained = new TreeSet<>();
    for (Source source : sources) {
      if (!source.isMain()) continue;
      packages.add(source.file.getParent());
      if (source.file.endsWith("package-info.java") && source.text.startsWith(LICENCE + "/**")) {
        explained.add(source.file.getParent());
      }
    }
    assertThat(explained)
        .as("each package has a package-info.java that begins with a Javadoc comment")
        .isEqualTo(packages);
  }

  @Test
  void packagesAreRooms() {
    // Those of the tests as well: a folder that mirrors a room has as much in it as the room.
    Map<Path, Integer> files = new TreeMap<>();
    for (Source source : sources) files.merge(source.file.getParent(), 1, Integer::sum);
    files.values().removeIf(count -> count <= PACKAGE_FILES_MAX);
    assertThat(files)
        .as("a package of more than %d files is two concepts: divide it", PACKAGE_FILES_MAX)
        .isEmpty();
  }

  @Test
  void everyFileNamesItsLicence() {
    assertThat(offenders(source -> !source.text.startsWith(LICENCE))).isEmpty();
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(
            offenders(
                source ->
                    source.isMain()
                        && source.file.endsWith("package-info.java")
                        && !source.text.contains("@NullMarked")))
        .isEmpty();
  }

  @Test
  void packagesHaveTellingNames() {
    assertThat(
            offenders(
                source ->
                    Stream.iterate(source.file, Path::getParent)
                        .takeWhile(path -> path != null)
                        .anyMatch(path -> VAGUE_NAMES.contains(path.getFileName().toString()))))
        .isEmpty();
  }

  @Test
  void mainCodeHandlesItsErrors() {
    assertThat(mainCodeWith("\\.printStackTrace\\(")).isEmpty();
    assertThat(mainCodeWith("\\bthrows\\s+[\\w.,\\s]*\\b(Exception|Throwable)\\b")).isEmpty();
    assertThat(mainCodeWith("catch\\s*\\([^)]*\\)\\s*\\{\\s*\\}")).as("empty catch").isEmpty();
  }

  @Test
  void onlyCommandsPrint() {
    // A process of its own speaks to whoever started it.
    assertThat(
            offenders(
                source ->
                    source.isMain()
                        && !PRINTING_MODULES.contains(source.module())
                        && !source.text.contains("static void main(")
                        && Pattern.compile("System\\.(out|err)\\b").matcher(source.text).find()))
        .isEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    // Split, so that this file does not match itself.
    assertThat(codeWith("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b")).isEmpty();
    assertThat(codeWith("@Dis" + "abled\\s*(\\n|\\(\\s*\\))")).as("disabled, no reason").isEmpty();
  }

  @Test
  void formatterIsNeverSwitchedOff() {
    assertThat(codeWith("(spotless|google-java-format|@formatter):\\s*o" + "ff")).isEmpty();
  }

  @Test
  void filesCanBeReadInOneSitting() {
    assertThat(offenders(source -> source.text.lines().count() > FILE_LINES_MAX)).isEmpty();
  }

  @Test
  void nothingDependsOnOneMachine() {
    Pattern machinePath = Pattern.compile("(?<![\\w./-])/(work|root|home/\\w+|Users/\\w+)/");
    List<Path> offenders =
        textFiles().filter(file -> machinePath.matcher(read(file)).find()).sorted().toList();
    assertThat(offenders).as("files that name a folder of one machine").isEmpty();
  }

  private static Stream<Path> textFiles() {
    Set<String> skipped = Set.of("target", ".git", ".idea", ".mvn");
    List<Path> found = new ArrayList<>();
    collect(root, skipped, found);
    return found.stream();
  }

  private static void collect(Path folder, Set<String> skipped, List<Path> found) {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.toList()) {
        if (Files.isSymbolicLink(entry) || skipped.contains(entry.getFileName().toString())) {
          continue;
        }
        if (Files.isDirectory(entry)) collect(entry, skipped, found);
        else if (isText(entry)) found.add(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    return !name.contains(".")
        || Stream.of(".java", ".md", ".xml", ".sh", ".awk", ".properties", ".options", ".yml")
            .anyMatch(name::endsWith);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> mainCodeWith(String pattern) {
    Predicate<String> finds = Pattern.compile(pattern).asPredicate();
    return offenders(source -> source.isMain() && finds.test(source.text));
  }

  private static List<Path> codeWith(String pattern) {
    Predicate<String> finds = Pattern.compile(pattern).asPredicate();
    return offenders(source -> finds.test(source.text));
  }

  private static List<Path> offenders(Predicate<Source> predicate) {
    return sources.stream().filter(predicate).map(Source::file).sorted().toList();
  }
}
