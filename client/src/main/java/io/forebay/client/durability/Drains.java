// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import io.forebay.client.core.ClientCore;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.loop.ClientLoop;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests about the drain of files to the backing store. Any thread. */
public final class Drains {
  /** Entries fetched at a time. */
  public static final int PAGE = 1024;

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;

  public Drains(ClientLoop loop, ClientCore core, Identity who) {
    this.loop = loop;
    this.core = core;
    this.who = who;
  }

  /** Nothing is ever drained without a backing store: waiting for it must fail. */
  public void requireStore() throws IOException {
    Instance instance = loop.call(null, core::instance);
    if (instance.isDrained(Names.treeOf(loop.call(null, core::root)))) return;
    if (!instance.drain().isNone()) {
      throw new ForebayException(
          ErrorCode.INVALID,
          "the private trees of instance '%s' are not drained; copy files to its shared tree"
              .formatted(instance.name()));
    }
    throw new ForebayException(
        ErrorCode.INVALID,
        "instance '%s' has no backing store to drain to; make one that has with 'forebay instance create NAME --backing URI'"
            .formatted(instance.name()));
  }

  /** Asks that everything below a path, from the root, be drained. */
  public DrainStarted start(String path, String fromRoot) throws IOException {
    Names.DrainIs started =
        loop.call(
            path,
            () -> core.ask(who, root -> new Names.Drain(root, fromRoot), Names.DrainIs.class));
    return new DrainStarted(started.files(), started.bytes());
  }

  public Ledger all() throws IOException {
    List<Ledger.Entry> entries = new ArrayList<>();
    long after = 0;
    while (true) {
      Names.LedgerIs page = page(after, PAGE);
      for (Names.LedgerEntry entry : page.entries()) {
        entries.add(Ledger.Entry.of(entry));
        after = entry.file();
      }
      if (!page.more() || page.entries().isEmpty()) {
        return new Ledger(entries, page.bytesPerSecond(), page.trouble(), page.leftOut());
      }
    }
  }

  /** Entries behind a file's number. */
  Names.LedgerIs page(long after, int max) throws IOException {
    Names.GetLedger question = new Names.GetLedger(after, max);
    return loop.call(null, () -> core.ask(who, root -> question, Names.LedgerIs.class));
  }
}
