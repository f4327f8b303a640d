// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree;

import io.forebay.base.GroupId;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.tree.change.Extras;
import io.forebay.namespace.tree.change.LockChanges;
import io.forebay.namespace.tree.change.PathWalk;
import io.forebay.namespace.tree.change.Permissions;
import io.forebay.namespace.tree.drain.Ledger;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeCapacity;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.Extent;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Answers from a tree. Listings are in the order of {@link String#compareTo}. */
final class Questions {
  /** The maximum number of entries of a listing, regardless of the request... */
  static final int ENTRIES_MAX = 10_000;

  /** ...its approximate maximum of bytes... */
  static final int LISTING_BYTES_MAX = 1024 * 1024;

  /** ...and the maximum number of runs in an answer. */
  static final int RUNS_MAX = 16 * 1024;

  /** The bytes of an entry besides its name. */
  private static final int ENTRY_BYTES = 96;

  private final TreeState tree;
  private final long session;
  private final Identity who;

  Questions(TreeState tree, long session, Identity who) {
    this.tree = tree;
    this.session = session;
    this.who = who;
  }

  Message answer(Names.Question question) throws Refused {
    return switch (question) {
      case Names.KeepAlive alive -> keepAlive();
      case Names.Lookup q -> nodeIs(walk().node(q.directory(), q.path(), q.follow()));
      case Names.CheckAccess q -> checkAccess(q);
      case Names.ListDirectory q -> list(q);
      case Names.ReadLink q -> readLink(q);
      case Names.GetExtra q -> new Extras(tree, who).get(q);
      case Names.ListExtras q -> new Extras(tree, who).list(q);
      case Names.FindRuns q -> findRuns(q);
      case Names.GetPair q -> getPair(q);
      case Names.ListPairs q -> listPairs(q);
      case Names.GetUsage q -> usage();
      case Names.GetLedger q -> ledger(q);
      case Names.GetStandings q -> standings(q);
      case Names.Drain q -> drain(q);
      case Names.AskLock q -> new LockChanges(tree, session).ask(q);
      case Names.FindLock q -> new LockChanges(tree, session).find(q);
    };
  }

  private PathWalk walk() {
    return new PathWalk(tree, who);
  }

  private Message keepAlive() throws Refused {
    tree.sessions.require(session);
    return new Replies.Done();
  }

  private static Message nodeIs(Node node) {
    return new Names.NodeIs(node.attributes());
  }

  private Message checkAccess(Names.CheckAccess question) throws Refused {
    if ((question.mask() & ~(Names.MAY_READ | Names.MAY_WRITE | Names.MAY_EXECUTE)) != 0) {
      throw new Refused(ErrorCode.INVALID, "access " + question.mask());
    }
    Node node = walk().node(question.directory(), question.path(), question.follow());
    Permissions.requireAccess(node, who, question.mask());
    return new Replies.Done();
  }

  private Message list(Names.ListDirectory question) throws Refused {
    requirePositive(question.max());
    Node node = walk().node(question.directory(), question.path(), true);
    if (!(node instanceof DirectoryNode directory)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + question.path() + "'");
    }
    Permissions.require(directory, who, Permissions.READ);
    tree.backing.sight.require(directory);
    List<Names.NamedNode> entries = new ArrayList<>();
    Page page = new Page(question.max());
    for (Map.Entry<String, Node> entry :
        directory.entries().tailMap(question.after(), false).entrySet()) {
      if (!page.takes(entry.getKey())) return new Names.Listing(entries, true);
      entries.add(new Names.NamedNode(entry.getKey(), entry.getValue().attributes()));
    }
    return new Names.Listing(entries, false);
  }

  private static void requirePositive(int max) throws Refused {
    if (max < 1) throw new Refused(ErrorCode.INVALID, "asks for " + max + " entries");
  }

  /** Counts what goes into one listing. */
  private static final class Page {
    private final int max;
    private int entries;
    private int bytes;

    Page(int max) {
      this.max = Math.min(max, ENTRIES_MAX);
    }

    boolean takes(String name) {
      if (entries == max || bytes > LISTING_BYTES_MAX) return false;
      entries++;
      bytes += NameRules.utf8Bytes(name) + ENTRY_BYTES;
      return true;
    }
  }

  private Message readLink(Names.ReadLink question) throws Refused {
    Node node = walk().node(question.directory(), question.path(), false);
    if (node instanceof SymlinkNode symlink) return new Names.LinkIs(symlink.target());
    throw new Refused(ErrorCode.INVALID, "'" + question.path() + "' is no symlink");
  }

  private Message findRuns(Names.FindRuns question) throws Refused {
    requirePositive(question.max());
    if (question.offset() < 0 || question.lengthBytes() < 0) {
      throw new Refused(
          ErrorCode.INVALID, "no range: " + question.offset() + "+" + question.lengthBytes());
    }
    FileNode file = tree.requireFile(question.file());
    long end =
        question.lengthBytes() > Long.MAX_VALUE - question.offset()
            ? Long.MAX_VALUE
            : question.offset() + question.lengthBytes();
    return runs(file, question.offset(), end, question.max());
  }

  private Names.RunsAre runs(FileNode file, long offset, long end, int max) {
    RunsPage page = new RunsPage(offset, end, Math.min(max, RUNS_MAX));
    if (file.content != null && offset < end) file.content.visit(offset, page::take);
    return new Names.RunsAre(
        file.sizeBytes(), file.version, page.through, onlyBackedBytes(file), page.runs);
  }

  /** Tells readers which data was evicted and must be read from the backing store (P25). */
  @Rule("P25")
  private long onlyBackedBytes(FileNode file) {
    return tree.backing.backedBytes(file);
  }

  /** Gathers the runs of a range, up to a number. */
  private static final class RunsPage {
    private final long from;
    private final long to;
    private final int max;
    private final List<Names.Run> runs = new ArrayList<>();
    private long through;

    RunsPage(long from, long to, int max) {
      this.from = from;
      this.to = to;
      this.max = max;
      this.through = to;
    }

    /** Takes the part in the range; returns whether more is wanted. */
    boolean take(Extent extent) {
      if (extent.offset() >= to) return false;
      if (runs.size() == max) {
        through = extent.offset();
        return false;
      }
      Extent part = extent.cut(Math.max(extent.offset(), from), Math.min(extent.endOffset(), to));
      runs.add(
          new Names.Run(
              part.offset(),
              part.lengthBytes(),
              new GroupId(part.group()),
              part.record(),
              part.recordOffset()));
      return true;
    }
  }

  private Message getPair(Names.GetPair question) throws Refused {
    requirePositive(question.max());
    NameRules.checkKey(question.key());
    Permissions.require(tree.pairsDirectory(), who, Permissions.READ | Permissions.SEARCH);
    FileNode file = tree.pairs.get(question.key());
    if (file == null) throw new Refused(ErrorCode.NOT_FOUND, "no key '" + question.key() + "'");
    return new Names.PairIs(file.number(), runs(file, 0, file.sizeBytes(), question.max()));
  }

  private Message listPairs(Names.ListPairs question) throws Refused {
    requirePositive(question.max());
    Permissions.require(tree.pairsDirectory(), who, Permissions.READ | Permissions.SEARCH);
    String prefix = question.prefix();
    String after = question.after();
    SortedMap<String, FileNode> behind =
        after.compareTo(prefix) < 0
            ? tree.pairs.tailMap(prefix, true)
            : tree.pairs.tailMap(after, false);
    List<Names.NamedPair> pairs = new ArrayList<>();
    Page page = new Page(question.max());
    for (Map.Entry<String, FileNode> entry : behind.entrySet()) {
      if (!entry.getKey().startsWith(prefix)) break;
      if (!page.takes(entry.getKey())) return new Names.PairsAre(pairs, true);
      FileNode file = entry.getValue();
      pairs.add(new Names.NamedPair(entry.getKey(), file.sizeBytes(), file.modifyNanos));
    }
    return new Names.PairsAre(pairs, false);
  }

  /** The state in the journal; the home adds the current progress. */
  private Message ledger(Names.GetLedger question) throws Refused {
    requirePositive(question.max());
    List<Names.LedgerEntry> entries = new ArrayList<>();
    Page page = new Page(question.max());
    for (Node node : tree.nodes.sorted()) {
      if (node.number() <= question.afterFile() || !(node instanceof FileNode file)) continue;
      if (file.pair || file.links == 0) continue;
      Names.LedgerEntry entry = Ledger.entry(tree, file);
      if (!isInstanceOwner() && !mayLookUp(file, entry.path())) continue;
      if (!page.takes(entry.path())) return new Names.LedgerIs(entries, true, 0, "", 0);
      entries.add(entry);
    }
    return new Names.LedgerIs(entries, false, 0, "", tree.backing.sight.leftOut());
  }

  /** The owner of the root directory sees the whole tree. */
  private boolean isInstanceOwner() {
    return Permissions.isOwner(tree.root(), who);
  }

  /** Whether the user has the rights to look up the path. */
  private boolean mayLookUp(FileNode file, String path) {
    if (file.links == 1 && file.parent != null) return maySearch(file.parent);
    try {
      return walk().node(tree.root().number(), path, false) == file;
    } catch (Refused notFound) {
      return false;
    }
  }

  private boolean maySearch(DirectoryNode directory) {
    DirectoryNode at = directory;
    while (Permissions.allows(at, who, Permissions.SEARCH)) {
      if (at.parent() == at) return true;
      at = at.parent();
    }
    return false;
  }

  private boolean mayOpen(FileNode file) {
    return Permissions.isOwner(file, who)
        || Permissions.allows(file, who, Permissions.READ)
        || Permissions.allows(file, who, Permissions.WRITE);
  }

  private Message standings(Names.GetStandings question) throws Refused {
    if (question.files().size() > Names.STANDINGS_MAX) {
      throw new Refused(ErrorCode.INVALID, "asks for " + question.files().size() + " files");
    }
    List<Names.Standing> standings = new ArrayList<>();
    for (long number : question.files()) {
      if (!(tree.nodes.get(number) instanceof FileNode file)) continue;
      if (!isInstanceOwner() && !mayOpen(file)) continue;
      standings.add(
          new Names.Standing(
              number,
              file.version,
              tree.backing.backedBytes(file) == 0,
              Ledger.isDurable(tree, file),
              tree.unfinished.isWritten(file),
              tree.unfinished.isLeft(file)));
    }
    return new Names.StandingsAre(standings);
  }

  /** The amount of work; the home does it. */
  private Message drain(Names.Drain question) throws Refused {
    Node node = walk().node(question.directory(), question.path(), true);
    long[] filesAndBytes = {0, 0};
    Ledger.dirtyBelow(
        tree,
        node,
        file -> {
          filesAndBytes[0]++;
          filesAndBytes[1] += file.sizeBytes();
        });
    return new Names.DrainIs(filesAndBytes[0], filesAndBytes[1]);
  }

  private Message usage() {
    TreeCapacity room = tree.room;
    return new Names.UsageIs(
        room.capacityBytes(), room.takenBytes(), room.promisedBytes(), tree.nodes.size());
  }
}
