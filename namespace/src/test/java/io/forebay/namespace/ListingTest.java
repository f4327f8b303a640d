// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Answers that come in pages. */
class ListingTest {
  private final TestGroup group = TestGroup.begun();

  private Names.Listing list(String after, int max) {
    return group.must(
        Names.Listing.class, group.ask(new Names.ListDirectory(ROOT, "", after, max)));
  }

  @Test
  void aDirectoryIsListedPageByPage() {
    TreeSet<String> expected = new TreeSet<>();
    // One beyond the basic plane: it sorts before U+FFFD in UTF-16 and behind it in UTF-8.
    for (String name : List.of("b", "a", "B", "ä", "\uFFFD", "\uD83D\uDE00", "ab")) {
      group.create(name);
      expected.add(name);
    }
    List<String> found = new ArrayList<>();
    boolean more = true;
    while (more) {
      Names.Listing page = list(found.isEmpty() ? "" : found.getLast(), 2);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(2);
      page.entries().forEach(entry -> found.add(entry.name()));
      more = page.more();
    }
    assertThat(found).containsExactlyElementsOf(expected);
    assertThat(list("\uFFFF", 5)).isEqualTo(new Names.Listing(List.of(), false));
    Names.NamedNode first = list("", 1).entries().getFirst();
    assertThat(first.attributes()).isEqualTo(group.stat(first.name()));
  }

  @Test
  void aPageIsBoundedHoweverMuchIsAskedFor() {
    for (int i = 0; i < 10_001; i++) group.change(0, TestGroup.open("f" + i, true, false));
    Names.Listing page = list("", Integer.MAX_VALUE);
    assertThat(page.entries()).hasSize(10_000);
    assertThat(page.more()).isTrue();
    String longName = "n".repeat(240);
    for (int i = 0; i < 4_000; i++) {
      group.change(0, TestGroup.open("d" + longName + i, true, false));
    }
    int bytes = 0;
    for (Names.NamedNode entry : list("", Integer.MAX_VALUE).entries()) {
      bytes += entry.name().length();
    }
    assertThat(bytes).isLessThan(1024 * 1024);
  }

  private Names.PairsAre pairs(String prefix, String after, int max) {
    return group.must(Names.PairsAre.class, group.ask(new Names.ListPairs(prefix, after, max)));
  }

  private List<String> keys(String prefix, String after, int max) {
    return pairs(prefix, after, max).pairs().stream().map(Names.NamedPair::key).toList();
  }

  @Test
  void pairsAreListedByPrefix() {
    long number =
        group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(9))).first();
    for (String key : List.of("b", "a", "a/1", "a/2", "a/3", "a0", "c")) {
      group.change(new Names.PutPair(key, number++, 0, List.of()));
    }
    assertThat(keys("", "", 99)).containsExactly("a", "a/1", "a/2", "a/3", "a0", "b", "c");
    assertThat(keys("a/", "", 99)).containsExactly("a/1", "a/2", "a/3");
    assertThat(keys("a/", "a/1", 99)).containsExactly("a/2", "a/3");
    assertThat(keys("a/", "b", 99)).isEmpty();
    assertThat(keys("a", "a", 2)).containsExactly("a/1", "a/2");
    assertThat(pairs("a", "a", 2).more()).isTrue();
    assertThat(pairs("a/", "a/1", 2).more()).isFalse();
  }

  @Test
  void runsOfAFileComeWithTheirHoles() {
    long file = group.create("f").number();
    group.publish(file, piece(10, 10, 1), piece(30, 10, 2), piece(35, 10, 3));
    Names.RunsAre first =
        group.must(Names.RunsAre.class, group.ask(new Names.FindRuns(file, 15, 1_000, 2)));
    assertThat(first.runs())
        .extracting(Names.Run::offset, Names.Run::lengthBytes, Names.Run::recordOffset)
        .containsExactly(tuple(15L, 5, 5), tuple(30L, 5, 0));
    assertThat(first.throughOffset()).isEqualTo(35);
    assertThat(first.sizeBytes()).isEqualTo(45);
    Names.RunsAre rest =
        group.must(Names.RunsAre.class, group.ask(new Names.FindRuns(file, 35, 980, 2)));
    assertThat(rest.runs()).hasSize(1);
    assertThat(rest.throughOffset()).isEqualTo(1_015);
    Names.RunsAre all =
        group.must(Names.RunsAre.class, group.ask(new Names.FindRuns(file, 5, Long.MAX_VALUE, 99)));
    assertThat(all.throughOffset()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.runs()).hasSize(3);
  }

  @Test
  void aValueOfManyRunsComesInPages() {
    long number =
        group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(1))).first();
    group.change(
        new Names.PutPair(
            "k", number, 30, List.of(piece(20, 10, 3), piece(0, 10, 1), piece(10, 10, 2))));
    Names.PairIs page = group.must(Names.PairIs.class, group.ask(new Names.GetPair("k", 2)));
    assertThat(page.runs().runs()).hasSize(2);
    assertThat(page.runs().throughOffset()).isEqualTo(20);
    Names.PairIs whole = group.must(Names.PairIs.class, group.ask(new Names.GetPair("k", 3)));
    assertThat(whole.runs().throughOffset()).isEqualTo(30);
  }
}
