// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script on a small pretended project, with pretended JDKs and a pretended Maven. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
class LauncherTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path folder;
  private Path project;
  private Path tools;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void pretend() throws IOException {
    project = Files.createDirectories(folder.resolve("project"));
    tools = Files.createDirectories(folder.resolve("tools"));
    Files.copy(Path.of("..", "forebay"), project.resolve("forebay"));
    makeExecutable(project.resolve("forebay"));
    write(project.resolve("pom.xml"), "");
    write(project.resolve("cli/pom.xml"), "");
    write(project.resolve("cli/src/main/A.java"), "");
    write(project.resolve("cli/src/main/B.java"), "");
    script(
        tools.resolve("mvn"),
        """
        echo built >>builds
        if grep -q broken cli/src/main/A.java; then
          echo "[ERROR] A.java:[1,1] broken"
          exit 1
        fi
        case "$*" in *-Pquick*) ;; *) exit 1 ;; esac
        mkdir -p cli/target/quick/lib && touch cli/target/quick/lib/some.jar
        """);
    environment.put("PATH", tools + ":" + System.getenv("PATH"));
    environment.put("FOREBAY_JDK_FOLDERS", folder + "/jdks/*");
  }

  @Test
  void saysWhatToInstallWithoutJdk() throws IOException {
    jdk("jdks/old", "24.0.1");
    jdk("jdks/ancient", "1.8.0_392");
    script(tools.resolve("java"), "exit 99");
    Outcome outcome = launch("--version");
    assertThat(outcome.exitCode).isEqualTo(1);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err)
        .startsWith("forebay: no JDK 25 or newer found; install one")
        .hasLineCount(1);
  }

  @Test
  void refusesANamedJdkThatIsTooOld() throws IOException {
    jdk("jdks/good", "25.0.3");
    environment.put("FOREBAY_JAVA_HOME", jdk("named", "17.0.9").toString());
    assertThat(launch("--version").err).contains("FOREBAY_JAVA_HOME is '").contains("not a JDK 25");
  }

  @Test
  void prefersNamedThenJavaHomeThenExactVersion() throws IOException {
    jdk("jdks/a-newer", "26");
    assertThat(launch("x").out).startsWith("a-newer ");
    jdk("jdks/b-exact", "25.0.3");
    assertThat(launch("x").out).startsWith("b-exact ");
    environment.put("JAVA_HOME", jdk("old-home", "17.0.9").toString());
    assertThat(launch("x").out).startsWith("b-exact ");
    environment.put("JAVA_HOME", jdk("java-home", "27-ea").toString());
    assertThat(launch("x").out).startsWith("java-home ");
    environment.put("FOREBAY_JAVA_HOME", jdk("named", "25").toString());
    assertThat(launch("x").out).startsWith("named ");
  }

  @Test
  void passesArgumentsAndOptionsOn() throws IOException {
    jdk("jdks/good", "25");
    environment.put("FOREBAY_JAVA_OPTS", "-Xmx1g -Da=b");
    Outcome outcome = launch("log", "two words", "");
    assertThat(outcome.exitCode).isEqualTo(7);
    assertThat(outcome.out).contains("[-Xmx1g] [-Da=b]").endsWith("[log] [two words] []\n");
  }

  @Test
  void buildsOnFirstUseAndAfterChangesOnly() throws IOException {
    jdk("jdks/good", "25");
    assertThat(launch("x").err)
        .startsWith("forebay: building (first use): compiles 1 modules;")
        .contains("\nforebay: built in ");
    assertThat(launch("x").err).isEmpty();
    assertThat(builds()).isEqualTo(1);

    touchLater(project.resolve("cli/src/main/B.java"));
    assertThat(launch("x").err).startsWith("forebay: building (sources changed): ");
    touchLater(project.resolve("pom.xml"));
    launch("x");
    assertThat(builds()).isEqualTo(3);
  }

  @Test
  void noticesADeletedSource() throws IOException {
    jdk("jdks/good", "25");
    launch("x");
    Files.delete(project.resolve("cli/src/main/B.java"));
    touchLater(project.resolve("cli/src/main"));
    launch("x");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void showsWhyABuildFailedAndTriesAgain() throws IOException {
    jdk("jdks/good", "25");
    write(project.resolve("cli/src/main/A.java"), "broken");
    for (int attempt = 0; attempt < 2; attempt++) {
      Outcome outcome = launch("x");
      assertThat(outcome.exitCode).isEqualTo(1);
      assertThat(outcome.out).isEmpty();
      assertThat(outcome.err).contains("\nA.java:[1,1] broken\n").contains("build.log'.");
    }
    write(project.resolve("cli/src/main/A.java"), "");
    assertThat(launch("x").out).startsWith("good ");
  }

  @Test
  void worksThroughALinkFromElsewhere() throws IOException {
    jdk("jdks/good", "25");
    Path link = Files.createSymbolicLink(tools.resolve("forebay"), Path.of("../project/forebay"));
    assertThat(launch(List.of(link.toString(), "x")).out).startsWith("good ");
    assertThat(project.resolve("target/launcher/current")).exists();
  }

  @Test
  void failsATestRunThatLeavesMemoryBehind() throws IOException {
    jdk("jdks/good", "25");
    for (String file : List.of("test-progress.awk", "test-summary.awk")) {
      write(project.resolve("dev/" + file), Files.readString(Path.of("..", "dev", file)));
    }
    Path memory = folder.resolve("memory");
    environment.put("FOREBAY_SHARED_MEMORY", memory.toString());
    write(memory.resolve("forebay-earlier/log"), folder + "/gone-before\n");
    script(tools.resolve("mvn"), "");
    assertThat(launch("test").exitCode).isZero();

    String kept = project.toString();
    script(
        tools.resolve("mvn"),
        "cd '%s' && mkdir forebay-kept forebay-left && echo '%s' >forebay-kept/log && echo /gone/seat-1 >forebay-left/log"
            .formatted(memory, kept));
    Outcome outcome = launch("test");
    assertThat(outcome.exitCode).isEqualTo(1);
    assertThat(outcome.out)
        .endsWith("removes it:\n" + memory + "/forebay-left of /gone/seat-1\n")
        .doesNotContain("forebay-kept");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    write(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "");
    script(
        home.resolve("bin/java"),
        "printf '%s' \"" + home.getFileName() + "\"; printf ' [%s]' \"$@\"; echo; exit 7");
    return home;
  }

  private Outcome launch(String... arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>(List.of(project + "/forebay"));
    command.addAll(List.of(arguments));
    return launch(command);
  }

  private Outcome launch(List<String> command) throws IOException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("FOREBAY_"));
    builder.environment().remove("JAVA_HOME");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private long builds() throws IOException {
    return Files.readString(project.resolve("builds")).lines().count();
  }

  /** A file system's clock may be coarser than two steps of a test are apart. */
  private static void touchLater(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusMillis(20)));
  }

  private static void script(Path file, String body) throws IOException {
    write(file, "#!/bin/sh\n" + body + "\n");
    makeExecutable(file);
  }

  private static void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
