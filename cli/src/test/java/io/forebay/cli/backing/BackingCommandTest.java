// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.contract.PackContract;
import io.forebay.backing.pack.PackFolder;
import io.forebay.cli.CommandOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
  void showsAndExtractsFilesThatAreKeptTogether() throws Exception {
    Path root = Files.createDirectory(directory.resolve("store"));
    try (BackingStore store = BackingStores.ofThisProgram().open(root.toString())) {
      new PackContract(store).run();
    }
    CommandOutcome shown = CommandOutcome.run("backing", "packs", root.toString());
    assertThat(shown.err()).isEmpty();
    assertThat(shown.out()).contains("/other/a b+c%", "/dir/c", "3 files in 3 packs", "dead");
    Path to = directory.resolve("out");
    CommandOutcome extracted =
        CommandOutcome.run(
            "backing", "packs", "--json", "--extract", to.toString(), root.toString());
    assertThat(extracted.exitCode()).as(extracted.err()).isZero();
    assertThat(extracted.out()).contains("\"path\":\"/dir/d\"", "\"deadBytes\":");
    assertThat(to.resolve("other/a b+c%")).hasContent("first");
    assertThat(to.resolve("dir/d")).hasContent("older, and later");
    CommandOutcome again =
        CommandOutcome.run("backing", "packs", "--extract", to.toString(), root.toString());
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("exists already");
  }

  @Test
  void onePackIsCalledOnePack() throws Exception {
    Path root = Files.createDirectory(directory.resolve("one"));
    try (BackingStore store = BackingStores.ofThisProgram().open(root.toString())) {
      new PackContract(store).run();
    }
    List<Path> packs;
    try (Stream<Path> all = Files.list(root.resolve(PackFolder.PATH.text()))) {
      packs = all.filter(each -> each.toString().endsWith(".zip")).sorted().toList();
    }
    for (Path pack : packs.subList(1, packs.size())) Files.delete(pack);
    assertThat(CommandOutcome.run("backing", "packs", root.toString()).out())
        .contains(" in 1 pack of ");
  }

  @Test
  void aWrongAddressIsAWrongArgument() {
    CommandOutcome outcome = CommandOutcome.run("backing", "check", "gs://bucket");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("there is no kind of backing store 'gs:'");
  }
}
