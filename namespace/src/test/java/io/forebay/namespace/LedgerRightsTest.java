// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ledger and standings tell a user of no file that he could not have found himself. */
class LedgerRightsTest {
  private static final Identity STRANGER = new Identity(54321, List.of(54321));

  private final TestGroup group = TestGroup.begun();
  private long open;
  private long closed;
  private long own;

  @BeforeEach
  void fill() {
    group.mkdir("open");
    group.mkdir("closed");
    open = group.create("open/file").number();
    closed = group.create("closed/file").number();
    own = group.create("closed/own").number();
    group.create("open/twice");
    group.change(new Names.MakeLink(ROOT, "open/twice", ROOT, "closed/twice"));
    set("closed", 0700, 0);
    set("open/file", 0644, 0);
    set("closed/file", 0600, 0);
    set("closed/own", 0600, STRANGER.user());
  }

  private void set(String path, int mode, int user) {
    group.must(
        Names.NodeIs.class,
        group.change(new Names.SetAttributes(ROOT, path, true, mode, user, -1, -1, -1, -1)));
  }

  private List<String> ledger(Identity who) {
    group.who = who;
    return group
        .must(Names.LedgerIs.class, group.ask(new Names.GetLedger(0, 100)))
        .entries()
        .stream()
        .map(Names.LedgerEntry::path)
        .toList();
  }

  private List<Long> standings(Identity who) {
    group.who = who;
    Names.GetStandings question = new Names.GetStandings(List.of(open, closed, own));
    return group.must(Names.StandingsAre.class, group.ask(question)).files().stream()
        .map(Names.Standing::file)
        .toList();
  }

  @Test
  void theOwnerIsToldOfAll() {
    assertThat(ledger(Identity.root()))
        .containsExactlyInAnyOrder("/open/file", "/closed/file", "/closed/own", "/closed/twice");
    assertThat(standings(Identity.root())).containsExactly(open, closed, own);
  }

  @Test
  void othersAreToldOfWhatTheyCanLookUp() {
    // The first of two names is told, and that one cannot be looked up.
    assertThat(ledger(STRANGER)).containsExactly("/open/file");
    assertThat(standings(STRANGER)).containsExactly(open, own);
    group.who = Identity.root();
    set("closed", 0711, 0);
    assertThat(ledger(STRANGER))
        .containsExactlyInAnyOrder("/open/file", "/closed/file", "/closed/own", "/closed/twice");
    assertThat(standings(STRANGER)).containsExactly(open, own);
  }
}
