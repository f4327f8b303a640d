// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What a backing store has of a {@link FakeTree}: nothing is drained but what the test drains. */
final class FakeLedger {
  /** How far a file is; DURABLE is what its version says. */
  private static final class Way {
    Names.DrainState state = Names.DrainState.BUFFERED;
    long durableVersion;
    long doneBytes;
    int attempts;
    String lastError = "";
    byte[] stored = new byte[0];
  }

  private final FakeNode root;
  private final Map<Long, Way> ways = new TreeMap<>();
  long bytesPerSecond;
  String trouble = "";
  Names.DrainOutlook outlook = Names.DrainOutlook.GOES_ON;

  FakeLedger(FakeNode root) {
    this.root = root;
  }

  private Way way(FakeNode file) {
    return ways.computeIfAbsent(file.number, number -> new Way());
  }

  Message page(Names.GetLedger question) {
    TreeMap<Long, Names.LedgerEntry> all = new TreeMap<>();
    visit(root, "", (path, file) -> all.putIfAbsent(file.number, entry(path, file)));
    List<Names.LedgerEntry> entries = new ArrayList<>();
    for (Names.LedgerEntry entry : all.tailMap(question.afterFile(), false).values()) {
      if (entries.size() == question.max()) {
        return new Names.LedgerIs(entries, true, bytesPerSecond, trouble, 0, outlook);
      }
      entries.add(entry);
    }
    return new Names.LedgerIs(entries, false, bytesPerSecond, trouble, 0, outlook);
  }

  private Names.LedgerEntry entry(String path, FakeNode file) {
    Way way = way(file);
    boolean durable = isDurable(file);
    return new Names.LedgerEntry(
        file.number,
        path,
        file.sizeBytes,
        file.version,
        way.durableVersion,
        file.backedBytes > 0,
        durable ? Names.DrainState.DURABLE : way.state,
        way.doneBytes,
        way.attempts,
        file.modifyNanos,
        way.lastError);
  }

  private boolean isDurable(FakeNode file) {
    return file.version > 0 && way(file).durableVersion == file.version;
  }

  private static void visit(FakeNode node, String path, BiConsumer<String, FakeNode> files) {
    if (node.kind == Names.Kind.FILE) files.accept(path, node);
    node.children.forEach((name, child) -> visit(child, path + "/" + name, files));
  }

  /** What is asked for waits from now on. */
  Message drain(FakeNode from) {
    long[] filesAndBytes = {0, 0};
    visit(
        from,
        "",
        (path, file) -> {
          if (isDurable(file)) return;
          way(file).state = Names.DrainState.WAITING;
          filesAndBytes[0]++;
          filesAndBytes[1] += file.sizeBytes;
        });
    return new Names.DrainIs(filesAndBytes[0], filesAndBytes[1]);
  }

  void failed(FakeNode file, String why) {
    Way way = way(file);
    way.state = Names.DrainState.WAITING;
    way.attempts++;
    way.lastError = why;
  }

  /** Nobody is going to drain the file any more. */
  void forget(FakeNode file) {
    way(file).state = Names.DrainState.BUFFERED;
  }

  /** The store has the file as it is. */
  void store(FakeNode file, byte[] bytes) {
    Way way = way(file);
    way.durableVersion = file.version;
    way.stored = bytes;
  }

  /** The buffer lets go of what the store has. */
  void release(FakeNode file) {
    file.runs.clear();
    file.backedBytes = way(file).stored.length;
  }

  /** A piece of what the store has; fewer bytes if it ends before. */
  byte[] read(FakeNode file, long offset, int lengthBytes) {
    byte[] stored = way(file).stored;
    int end = (int) Math.min(Math.min(stored.length, file.backedBytes), offset + lengthBytes);
    return Arrays.copyOfRange(stored, (int) offset, Math.max((int) offset, end));
  }
}
