package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackingCommandTest {
  @TempDir Path directory;

  @Test
  void saysWhatAStoreCanDo() {
    CommandOutcome outcome = CommandOutcome.run("backing", "check", directory.toString());
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("directory " + directory, "anyOffset", "can be used");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void runsTheContractAndLeavesNothing() {
    CommandOutcome outcome =
        CommandOutcome.run("backing", "check", "--contract", "--json", directory.toString());
    assertThat(outcome.exitCode()).as(outcome.out()).isZero();
    assertThat(outcome.out()).contains("\"a file is seen only once it is whole\":\"kept\"");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aStoreThatBreaksPromisesIsNamed() {
    CommandOutcome outcome = CommandOutcome.run("backing", "check", "--contract", "null:");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).contains("do not use it");
  }

  @Test
  void aStoreThatCannotBeUsedIsExplained() {
    Path missing = directory.resolve("missing");
    CommandOutcome outcome = CommandOutcome.run("backing", "check", missing.toString());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains(missing.toString(), "make it, or mount its file system");
  }

  @Test
  void aWrongAddressIsAWrongArgument() {
    CommandOutcome outcome = CommandOutcome.run("backing", "check", "gs://bucket");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("there is no kind of backing store 'gs:'");
  }
}
