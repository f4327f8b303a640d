// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.base.GroupId;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Names and contents of one tree in maps: enough of what a real home does to test clients. */
final class FakeTree {
  /** Not done. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    final ErrorCode code;

    Refused(ErrorCode code, String detail) {
      super(detail);
      this.code = code;
    }
  }

  private record Place(FakeNode parent, String name) {}

  private record Done(long session, long op) {}

  private final int tree;
  private final GroupId group;
  private final long capacityBytes;
  private final Map<Long, FakeNode> nodes = new HashMap<>();
  private final TreeMap<String, FakeNode> pairs = new TreeMap<>();
  private final Map<Done, Message> answers = new HashMap<>();
  final FakeLedger ledger;
  final Set<Long> sessions = new HashSet<>();

  /** Of each file the sessions that have it open, each with the number of its last open. */
  final Map<Long, Map<Long, Long>> opened = new HashMap<>();

  int changesDone;
  int publishes;
  private long promisedBytes;
  private long nextNumber = 10;
  private long time = 1_700_000_000_000_000_000L;

  FakeTree(int tree, GroupId group, long capacityBytes) {
    this.tree = tree;
    this.group = group;
    this.capacityBytes = capacityBytes;
    FakeNode root = new FakeNode(Names.inTree(tree, Names.ROOT), Names.Kind.DIRECTORY, 0755);
    nodes.put(root.number, root);
    ledger = new FakeLedger(root);
  }

  /** What a path from the root stands for. */
  FakeNode at(String path) {
    return find(Names.inTree(tree, Names.ROOT), path, true);
  }

  void forget(FakeNode file) {
    nodes.remove(file.number);
  }

  /** A change that was done is answered again, not done again. */
  Message handle(Names.Request request) {
    if (request.what() instanceof Names.Question question) {
      return answer(() -> ask(request, question));
    }
    Done key = new Done(request.session(), request.op());
    Message before = answers.get(key);
    if (before != null) return before;
    Message answer = answer(() -> change(request, (Names.Change) request.what()));
    changesDone++;
    answers.put(key, answer);
    return answer;
  }

  private interface Work {
    Message run();
  }

  private static Message answer(Work work) {
    try {
      return work.run();
    } catch (Refused e) {
      return new Replies.Failed(e.code, String.valueOf(e.getMessage()));
    }
  }

  private void requireSession(Names.Request request) {
    if (!sessions.contains(request.session())) {
      throw new Refused(ErrorCode.SESSION_ENDED, "the session has ended");
    }
  }

  private Message ask(Names.Request request, Names.Question question) {
    if (question instanceof Names.KeepAlive) {
      requireSession(request);
      return new Replies.Done();
    }
    if (question instanceof Names.Lookup q) {
      return new Names.NodeIs(find(q.directory(), q.path(), q.follow()).attributes());
    }
    if (question instanceof Names.CheckAccess q) {
      // Only the owner's bits count here.
      if (((node(q.directory()).mode >> 6) & q.mask()) != q.mask()) {
        throw new Refused(ErrorCode.ACCESS_DENIED, "no access " + q.mask());
      }
      return new Replies.Done();
    }
    if (question instanceof Names.ListDirectory q) return list(q);
    if (question instanceof Names.ReadLink q) {
      FakeNode link = find(q.directory(), q.path(), false);
      if (link.kind != Names.Kind.SYMLINK) throw new Refused(ErrorCode.INVALID, "not a link");
      return new Names.LinkIs(link.target);
    }
    if (question instanceof Names.GetExtra q) {
      FakeNode node = find(q.directory(), q.path(), q.follow());
      if (!node.extras.containsKey(q.name())) {
        throw new Refused(ErrorCode.NO_ATTRIBUTE, "no attribute " + q.name());
      }
      return new Names.ExtraIs(node.extras.get(q.name()));
    }
    if (question instanceof Names.ListExtras q) {
      return new Names.ExtrasAre(
          List.copyOf(find(q.directory(), q.path(), q.follow()).extras.keySet()));
    }
    if (question instanceof Names.FindRuns q) {
      return node(q.file()).find(q.offset(), q.lengthBytes(), q.max());
    }
    if (question instanceof Names.GetPair q) {
      FakeNode value = pair(q.key());
      return new Names.PairIs(value.number, value.find(0, Long.MAX_VALUE / 2, q.max()));
    }
    if (question instanceof Names.ListPairs q) return listPairs(q);
    if (question instanceof Names.GetUsage) {
      return new Names.UsageIs(capacityBytes, used(), promisedBytes, nodes.size());
    }
    if (question instanceof Names.GetLedger q) return ledger.page(q);
    if (question instanceof Names.Drain q) return ledger.drain(find(q.directory(), q.path(), true));
    throw new Refused(ErrorCode.MALFORMED, question + "?");
  }

  private Message list(Names.ListDirectory q) {
    FakeNode directory = find(q.directory(), q.path(), true);
    if (directory.kind != Names.Kind.DIRECTORY) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + q.path() + "' is no directory");
    }
    List<Names.NamedNode> entries = new ArrayList<>();
    for (Map.Entry<String, FakeNode> each :
        directory.children.tailMap(q.after(), false).entrySet()) {
      if (entries.size() == q.max()) return new Names.Listing(entries, true);
      entries.add(new Names.NamedNode(each.getKey(), each.getValue().attributes()));
    }
    return new Names.Listing(entries, false);
  }

  private Message listPairs(Names.ListPairs q) {
    List<Names.NamedPair> found = new ArrayList<>();
    for (Map.Entry<String, FakeNode> each : pairs.tailMap(q.after(), false).entrySet()) {
      if (!each.getKey().startsWith(q.prefix())) continue;
      if (found.size() == q.max()) return new Names.PairsAre(found, true);
      found.add(new Names.NamedPair(each.getKey(), each.getValue().sizeBytes, time));
    }
    return new Names.PairsAre(found, false);
  }

  private Message change(Names.Request request, Names.Change change) {
    time += 1_000_000;
    if (change instanceof Names.BeginSession) {
      sessions.add(request.session());
      return new Names.SessionIs(tree, group, tree);
    }
    requireSession(request);
    if (change instanceof Names.EndSession) {
      sessions.remove(request.session());
      return new Replies.Done();
    }
    if (change instanceof Names.Open c) return open(request, c);
    if (change instanceof Names.Release c) {
      release(request, c.file(), c.opensUpTo());
      return new Replies.Done();
    }
    if (change instanceof Names.Publish c) return publish(request, c);
    if (change instanceof Names.Punch c) {
      FakeNode node = node(c.file());
      node.punch(c.offset(), c.lengthBytes());
      node.version = ++nextVersion;
      return new Names.Punched(node.version, node.sizeBytes, node.backedBytes);
    }
    if (change instanceof Names.Allocate c) {
      FakeNode node = node(c.file());
      long end = c.offset() + c.lengthBytes();
      if (!c.keepSize() && end > node.sizeBytes) node.truncate(end);
      return new Names.NodeIs(node.attributes());
    }
    if (change instanceof Names.TakeNumbers c) {
      long first = Names.inTree(tree, nextNumber);
      nextNumber += c.count();
      return new Names.NumbersAre(first, c.count());
    }
    if (change instanceof Names.PutPair c) return putPair(request, c);
    if (change instanceof Names.PutFile c) return putFile(request, c);
    if (change instanceof Names.PutFiles c) return putFiles(request, c);
    if (change instanceof Names.DeletePair c) {
      nodes.remove(pair(c.key()).number);
      pairs.remove(c.key());
      return new Replies.Done();
    }
    if (change instanceof Names.TakeRoom c) {
      long left = capacityBytes - used() - promisedBytes;
      if (left <= 0) throw new Refused(ErrorCode.NO_SPACE, "no room is left");
      long given = Math.min(left, c.bytes());
      promisedBytes += given;
      return new Names.RoomIs(given);
    }
    return changeNames(request.who(), change);
  }

  private Message changeNames(Identity who, Names.Change change) {
    if (change instanceof Names.MakeDirectory c) {
      return made(who, free(c.directory(), c.path()), Names.Kind.DIRECTORY, c.mode());
    }
    if (change instanceof Names.MakeSymlink c) {
      Place place = free(c.directory(), c.path());
      Message answer = made(who, place, Names.Kind.SYMLINK, 0777);
      place.parent.children.get(place.name).target = c.target();
      return answer;
    }
    if (change instanceof Names.MakeNode c) {
      Place place = free(c.directory(), c.path());
      made(who, place, c.kind(), c.mode());
      FakeNode node = place.parent.children.get(place.name);
      node.device = c.device();
      return new Names.NodeIs(node.attributes());
    }
    if (change instanceof Names.MakeLink c) {
      FakeNode node = find(c.directory(), c.path(), false);
      Place place = free(c.newDirectory(), c.newPath());
      node.links++;
      place.parent.children.put(place.name, node);
      return new Names.NodeIs(node.attributes());
    }
    if (change instanceof Names.Unlink c) return remove(c.directory(), c.path(), false);
    if (change instanceof Names.RemoveDirectory c) return remove(c.directory(), c.path(), true);
    if (change instanceof Names.Rename c) return rename(c);
    if (change instanceof Names.SetAttributes c) return setAttributes(c);
    if (change instanceof Names.SetExtra c) {
      find(c.directory(), c.path(), c.follow()).extras.put(c.name(), c.value());
      return new Replies.Done();
    }
    if (change instanceof Names.RemoveExtra c) {
      find(c.directory(), c.path(), c.follow()).extras.remove(c.name());
      return new Replies.Done();
    }
    throw new Refused(ErrorCode.MALFORMED, change + "?");
  }

  private void release(Names.Request request, long file, long opensUpTo) {
    opened
        .getOrDefault(file, new HashMap<>())
        .computeIfPresent(request.session(), (session, op) -> op > opensUpTo ? op : null);
  }

  private Message open(Names.Request request, Names.Open c) {
    FakeNode node;
    try {
      node = find(c.directory(), c.path(), true);
      if (c.exclusive()) throw new Refused(ErrorCode.EXISTS, "'" + c.path() + "' exists");
    } catch (Refused e) {
      if (e.code != ErrorCode.NOT_FOUND || !c.create()) throw e;
      Place place = free(c.directory(), c.path());
      made(request.who(), place, Names.Kind.FILE, c.mode());
      node = place.parent.children.get(place.name);
    }
    if (node.kind == Names.Kind.DIRECTORY && c.write()) {
      throw new Refused(ErrorCode.IS_A_DIRECTORY, "'" + c.path() + "' is a directory");
    }
    if (c.truncate()) node.truncate(0);
    opened
        .computeIfAbsent(node.number, number -> new HashMap<>())
        .merge(request.session(), request.op(), Math::max);
    return new Names.NodeIs(node.attributes());
  }

  private Message publish(Names.Request request, Names.Publish c) {
    FakeNode node = node(c.file());
    publishes++;
    long start = c.append() ? node.sizeBytes : 0;
    for (Names.Piece piece : c.pieces()) {
      node.put(request.session(), piece, start + piece.offset());
      promisedBytes = Math.max(0, promisedBytes - piece.lengthBytes());
    }
    node.version = ++nextVersion;
    node.modifyNanos = time;
    if (c.close()) release(request, c.file(), c.opensUpTo());
    return new Names.Published(node.version, start, node.sizeBytes);
  }

  private long nextVersion;

  private Message putPair(Names.Request request, Names.PutPair c) {
    FakeNode node = new FakeNode(c.file(), Names.Kind.FILE, 0644);
    for (Names.Piece piece : c.pieces()) node.put(request.session(), piece, piece.offset());
    if (node.sizeBytes != c.sizeBytes())
      throw new Refused(ErrorCode.INVALID, "not the whole value");
    FakeNode old = pairs.put(c.key(), node);
    if (old != null) nodes.remove(old.number);
    nodes.put(node.number, node);
    return new Names.Published(++nextVersion, 0, node.sizeBytes);
  }

  private Message putFiles(Names.Request request, Names.PutFiles c) {
    List<Long> versions = new ArrayList<>();
    for (Names.PutFile file : c.files()) {
      try {
        versions.add(putFile(request, file).version());
      } catch (Refused e) {
        versions.add(0L);
      }
    }
    return new Names.FilesPut(versions);
  }

  private Names.Published putFile(Names.Request request, Names.PutFile c) {
    Place place = free(c.directory(), c.path());
    FakeNode node = new FakeNode(c.file(), Names.Kind.FILE, c.mode());
    for (Names.Piece piece : c.pieces()) node.put(request.session(), piece, piece.offset());
    node.user = request.who().user();
    node.group = request.who().primaryGroup();
    node.modifyNanos = c.modifyNanos() == Names.NOW ? time : c.modifyNanos();
    nodes.put(node.number, node);
    place.parent.children.put(place.name, node);
    return new Names.Published(++nextVersion, 0, node.sizeBytes);
  }

  private Message remove(long directory, String path, boolean isDirectory) {
    Place place = place(directory, path);
    FakeNode node = place.parent.children.get(place.name);
    if (node == null) throw notFound(path);
    if (isDirectory != (node.kind == Names.Kind.DIRECTORY)) {
      throw new Refused(
          isDirectory ? ErrorCode.NOT_A_DIRECTORY : ErrorCode.IS_A_DIRECTORY, "'" + path + "'");
    }
    if (!node.children.isEmpty()) throw new Refused(ErrorCode.NOT_EMPTY, "'" + path + "'");
    place.parent.children.remove(place.name);
    node.links--;
    return new Replies.Done();
  }

  private Message rename(Names.Rename c) {
    Place from = place(c.directory(), c.path());
    Place to = place(c.newDirectory(), c.newPath());
    FakeNode node = from.parent.children.get(from.name);
    FakeNode old = to.parent.children.get(to.name);
    if (node == null) throw notFound(c.path());
    if (old != null && c.noReplace()) throw new Refused(ErrorCode.EXISTS, "'" + c.newPath() + "'");
    if (old != null && !old.children.isEmpty() && !c.exchange()) {
      throw new Refused(ErrorCode.NOT_EMPTY, "'" + c.newPath() + "'");
    }
    from.parent.children.remove(from.name);
    to.parent.children.put(to.name, node);
    if (c.exchange()) from.parent.children.put(from.name, old);
    return new Replies.Done();
  }

  private Message setAttributes(Names.SetAttributes c) {
    FakeNode node = find(c.directory(), c.path(), c.follow());
    if (c.mode() != Names.UNCHANGED) node.mode = c.mode();
    if (c.user() != Names.UNCHANGED) node.user = c.user();
    if (c.group() != Names.UNCHANGED) node.group = c.group();
    if (c.sizeBytes() != Names.UNCHANGED) node.truncate(c.sizeBytes());
    if (c.accessNanos() != Names.UNCHANGED) node.accessNanos = timeOr(c.accessNanos());
    if (c.modifyNanos() != Names.UNCHANGED) node.modifyNanos = timeOr(c.modifyNanos());
    return new Names.NodeIs(node.attributes());
  }

  private long timeOr(long nanos) {
    return nanos == Names.NOW ? time : nanos;
  }

  private Message made(Identity who, Place place, Names.Kind kind, int mode) {
    FakeNode node = new FakeNode(Names.inTree(tree, nextNumber++), kind, mode);
    node.user = who.user();
    node.group = who.primaryGroup();
    node.accessNanos = time;
    node.modifyNanos = time;
    nodes.put(node.number, node);
    place.parent.children.put(place.name, node);
    return new Names.NodeIs(node.attributes());
  }

  private Place free(long directory, String path) {
    Place place = place(directory, path);
    if (place.parent.children.containsKey(place.name)) {
      throw new Refused(ErrorCode.EXISTS, "'" + path + "' exists");
    }
    return place;
  }

  private Place place(long directory, String path) {
    int slash = path.lastIndexOf('/');
    FakeNode parent = find(directory, slash < 0 ? "" : path.substring(0, slash), true);
    if (parent.kind != Names.Kind.DIRECTORY) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + path + "'");
    }
    String name = path.substring(slash + 1);
    if (name.isEmpty()) throw new Refused(ErrorCode.INVALID, "an empty name");
    return new Place(parent, name);
  }

  private FakeNode find(long directory, String path, boolean follow) {
    return find(node(directory), path, follow, 0);
  }

  private FakeNode find(FakeNode from, String path, boolean follow, int depth) {
    if (depth > 40) throw new Refused(ErrorCode.TOO_MANY_SYMLINKS, "'" + path + "'");
    FakeNode at = path.startsWith("/") ? node(Names.inTree(tree, Names.ROOT)) : from;
    String[] parts = path.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].isEmpty() || parts[i].equals(".")) continue;
      if (at.kind != Names.Kind.DIRECTORY) {
        throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + path + "'");
      }
      FakeNode next = at.children.get(parts[i]);
      if (next == null) throw notFound(path);
      boolean last = i == parts.length - 1;
      at =
          next.kind == Names.Kind.SYMLINK && (!last || follow)
              ? find(at, next.target, true, depth + 1)
              : next;
    }
    return at;
  }

  FakeNode node(long number) {
    FakeNode node = nodes.get(number);
    if (node == null) throw new Refused(ErrorCode.STALE_HANDLE, "file " + number + " is gone");
    return node;
  }

  private FakeNode pair(String key) {
    FakeNode value = pairs.get(key);
    if (value == null) throw new Refused(ErrorCode.NOT_FOUND, "there is no key '" + key + "'");
    return value;
  }

  private long used() {
    return nodes.values().stream().mapToLong(node -> node.sizeBytes).sum();
  }

  private static Refused notFound(String path) {
    return new Refused(ErrorCode.NOT_FOUND, "there is no '" + path + "'");
  }
}
