// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.GroupState.DeadIn;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.oracle.ContentModel.Content;
import io.forebay.namespace.oracle.ContentModel.ModelFile;
import io.forebay.namespace.oracle.ContentModel.ModelSession;
import io.forebay.namespace.oracle.ContentModel.Owner;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Random changes of contents, pairs, sessions and room beside the model. */
final class ContentRun {
  private static final String[] FILES = {"a", "b", "c", "d"};
  private static final String[] KEYS = {"k", "l", "k/1"};
  private static final int GROUPS = 3;
  private static final int RECORD_BYTES_MAX = 80;
  private static final int SESSIONS_WANTED = 3;

  /** A change that may come again. */
  private record Past(GroupCommand.ClientChange change, Message reply) {}

  private final Random random;
  private final TestGroup group;
  private final ContentModel model;
  private final List<Past> past = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();

  ContentRun(Random random) {
    this.random = random;
    long capacity = random.nextInt(3) == 0 ? 0 : 300 + random.nextInt(3_000);
    group = TestGroup.begun(capacity);
    model = new ContentModel(capacity);
    model.sessions.put(group.session, new ModelSession(group.session));
  }

  void run(int operations) throws MalformedFields {
    for (int i = 0; i < operations; i++) {
      model.begin();
      beginSessions();
      group.applied = new GroupState.Applied(new Replies.Done(), List.of(), List.of(), List.of());
      operate();
      checkEffects();
      check();
      if (random.nextInt(30) == 0) {
        GroupState restored = group.restored(200 + random.nextInt(2_000));
        assertThat(restored.digest()).isEqualTo(group.state.digest());
        group.state = restored;
      }
    }
    assertThat(group.replayed().digest()).isEqualTo(group.state.digest());
  }

  private void operate() {
    switch (random.nextInt(22)) {
      case 0, 1 -> create();
      case 2, 3, 4, 5, 6, 7 -> publish();
      case 8 -> truncate();
      case 9 -> unlink();
      case 10 -> rename();
      case 11 -> link();
      case 12 -> forget();
      case 13, 14 -> putPair();
      case 15 -> deletePair();
      case 16 -> takeRoom();
      case 17 -> endSession();
      case 18 -> punch();
      case 19 -> extend();
      default -> comeAgain();
    }
  }

  private void beginSessions() {
    while (model.sessions.size() < SESSIONS_WANTED) {
      group.session = 1L + random.nextInt(1_000_000);
      if (ended.contains(group.session)) continue;
      assertThat(group.tryChange(new Names.BeginSession("n", 5))).isEqualTo(ErrorCode.NONE);
      model.sessions.put(group.session, new ModelSession(group.session));
    }
  }

  private ModelSession session() {
    List<ModelSession> all = new ArrayList<>(model.sessions.values());
    return all.get(random.nextInt(all.size()));
  }

  private @Nullable ModelFile file() {
    List<ModelFile> all = new ArrayList<>(new HashSet<>(model.files.values()));
    all.sort((a, b) -> Long.compare(a.number, b.number));
    all.addAll(model.orphans.values());
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private Message change(ModelSession session, Names.Change change) {
    group.session = session.id;
    if (random.nextInt(10) == 0) {
      session.doneBelow = Math.max(session.doneBelow, group.op - random.nextInt(20));
    }
    GroupCommand.ClientChange command =
        new GroupCommand.ClientChange(
            BUFFER,
            TREE,
            session.id,
            ++group.op,
            session.doneBelow,
            0,
            group.who,
            group.now(),
            change);
    Message reply = group.apply(command);
    past.add(new Past(command, reply));
    return reply;
  }

  private ErrorCode tryChange(Names.Change change) {
    return group.code(change(session(), change));
  }

  /** Whatever was asked before: the same answer, or, if it is forgotten, none. */
  private void comeAgain() {
    if (past.isEmpty()) return;
    Past again = past.get(past.size() - 1 - random.nextInt(Math.min(past.size(), 40)));
    ModelSession session = model.sessions.get(again.change.session());
    Message reply = group.apply(again.change);
    if (session == null) {
      assertThat(group.code(reply))
          .isEqualTo(
              again.change.change() instanceof Names.EndSession
                  ? ErrorCode.NONE
                  : ErrorCode.SESSION_ENDED);
    } else if (again.change.op() < session.doneBelow) {
      assertThat(group.code(reply)).isEqualTo(ErrorCode.INVALID);
    } else {
      assertThat(reply).isEqualTo(again.reply);
    }
  }

  private void create() {
    String name = FILES[random.nextInt(FILES.length)];
    boolean truncate = random.nextInt(3) == 0;
    Message reply = change(session(), TestGroup.open(name, true, truncate));
    long number = group.must(Names.NodeIs.class, reply).attributes().number();
    ModelFile file = model.files.computeIfAbsent(name, n -> new ModelFile(number));
    assertThat(number).isEqualTo(file.number);
    if (truncate) model.truncate(file, 0);
  }

  private GroupId place() {
    return GroupId.of(new SeatId(random.nextInt(GROUPS)), 2);
  }

  private List<Names.Piece> pieces(ModelSession session, int bytesMax) {
    List<Names.Piece> pieces = new ArrayList<>();
    int count = random.nextInt(5);
    long offset = random.nextInt(bytesMax);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) offset = random.nextInt(bytesMax);
      int length = 1 + random.nextInt(RECORD_BYTES_MAX);
      if (offset + length > bytesMax) offset = Math.max(0, bytesMax - length);
      if (random.nextInt(10) == 0) session.nextPiece++;
      long sequence = session.nextPiece++ * 256 + (random.nextInt(10) == 0 ? 1 : 0);
      if (offset + length > bytesMax) break;
      pieces.add(new Names.Piece(offset, length, place(), sequence));
      offset += length;
    }
    if (random.nextInt(5) == 0 && !session.published.isEmpty()) {
      List<Long> published = new ArrayList<>(session.published);
      long sequence = published.get(random.nextInt(published.size()));
      pieces.add(new Names.Piece(random.nextInt(10), 5, place(), sequence));
    }
    Collections.shuffle(pieces, random);
    return pieces;
  }

  private void publish() {
    ModelFile file = file();
    if (file == null) return;
    ModelSession session = session();
    boolean append = random.nextInt(4) == 0;
    int start = append ? file.size : 0;
    int bytesMax = ContentModel.FILE_BYTES_MAX - start;
    List<Names.Piece> pieces = bytesMax < 10 ? List.of() : pieces(session, bytesMax);
    Message reply =
        change(session, new Names.Publish(file.number, append, random.nextBoolean(), pieces));
    if (model.publish(session, file, start, pieces)) {
      Names.Published published = group.must(Names.Published.class, reply);
      assertThat(published.startOffset()).isEqualTo(start);
      assertThat(published.sizeBytes()).isEqualTo(file.size);
    } else {
      assertThat(group.code(reply)).isEqualTo(ErrorCode.NO_SPACE);
    }
  }

  private void truncate() {
    ModelFile file = file();
    if (file == null) return;
    int size = random.nextInt(ContentModel.FILE_BYTES_MAX);
    Names.SetAttributes change =
        new Names.SetAttributes(file.number, "", true, -1, -1, -1, size, -1, -1);
    assertThat(tryChange(change)).isEqualTo(ErrorCode.NONE);
    model.truncate(file, size);
  }

  private void punch() {
    ModelFile file = file();
    if (file == null) return;
    int from = random.nextInt(ContentModel.FILE_BYTES_MAX);
    int length = 1 + random.nextInt(ContentModel.FILE_BYTES_MAX);
    Message reply = change(session(), new Names.Punch(file.number, from, length));
    model.punch(file, from, length);
    Names.Punched punched = group.must(Names.Punched.class, reply);
    assertThat(punched.sizeBytes()).isEqualTo(file.size);
    assertThat(punched.backedBytes()).isZero();
  }

  private void extend() {
    ModelFile file = file();
    if (file == null) return;
    int size = 1 + random.nextInt(ContentModel.FILE_BYTES_MAX);
    assertThat(tryChange(new Names.Allocate(file.number, 0, size, false)))
        .isEqualTo(ErrorCode.NONE);
    file.size = Math.max(file.size, size);
  }

  private void unlink() {
    String name = FILES[random.nextInt(FILES.length)];
    ErrorCode code = tryChange(new Names.Unlink(ROOT, name));
    ModelFile file = model.files.remove(name);
    assertThat(code).isEqualTo(file == null ? ErrorCode.NOT_FOUND : ErrorCode.NONE);
    if (file != null) model.lostName(file);
  }

  private void rename() {
    String from = FILES[random.nextInt(FILES.length)];
    String to = FILES[random.nextInt(FILES.length)];
    ErrorCode code = tryChange(new Names.Rename(ROOT, from, ROOT, to, false, false));
    ModelFile file = model.files.get(from);
    assertThat(code).isEqualTo(file == null ? ErrorCode.NOT_FOUND : ErrorCode.NONE);
    if (file == null || file == model.files.get(to)) return;
    ModelFile replaced = model.files.put(to, file);
    model.files.remove(from);
    if (replaced != null) model.lostName(replaced);
  }

  private void link() {
    String from = FILES[random.nextInt(FILES.length)];
    String to = FILES[random.nextInt(FILES.length)];
    ErrorCode code = tryChange(new Names.MakeLink(ROOT, from, ROOT, to));
    ModelFile file = model.files.get(from);
    if (file == null || model.files.containsKey(to)) {
      assertThat(code).isEqualTo(file == null ? ErrorCode.NOT_FOUND : ErrorCode.EXISTS);
      return;
    }
    assertThat(code).isEqualTo(ErrorCode.NONE);
    model.files.put(to, file);
    file.links++;
  }

  /** Some orphans, and among them what is none. */
  private void forget() {
    List<Long> numbers = new ArrayList<>();
    for (ModelFile file : model.all()) {
      if (random.nextBoolean()) numbers.add(file.number);
    }
    group.apply(new GroupCommand.Forget(BUFFER, TREE, numbers));
    for (long number : numbers) {
      ModelFile file = model.orphans.get(number);
      if (file != null) model.giveUp(file);
    }
  }

  private void putPair() {
    ModelSession session = session();
    Message numbers = change(session, new Names.TakeNumbers(1 + random.nextInt(3)));
    long number = group.must(Names.NumbersAre.class, numbers).first();
    List<Names.Piece> pieces = new ArrayList<>();
    int size = 0;
    for (int i = random.nextInt(3); i > 0; i--) {
      int length = 1 + random.nextInt(RECORD_BYTES_MAX);
      pieces.add(new Names.Piece(size, length, place(), session.nextPiece++ * 256));
      size += length;
    }
    Collections.shuffle(pieces, random);
    String key = KEYS[random.nextInt(KEYS.length)];
    Message reply = change(session, new Names.PutPair(key, number, size, pieces));
    ModelFile file = new ModelFile(number);
    if (model.publish(session, file, 0, pieces)) {
      assertThat(group.must(Names.Published.class, reply).sizeBytes()).isEqualTo(size);
      ModelFile replaced = model.pairs.put(key, file);
      if (replaced != null) model.giveUp(replaced);
    } else {
      assertThat(group.code(reply)).isEqualTo(ErrorCode.NO_SPACE);
    }
  }

  private void deletePair() {
    String key = KEYS[random.nextInt(KEYS.length)];
    ErrorCode code = tryChange(new Names.DeletePair(key));
    ModelFile file = model.pairs.remove(key);
    assertThat(code).isEqualTo(file == null ? ErrorCode.NOT_FOUND : ErrorCode.NONE);
    if (file != null) model.giveUp(file);
  }

  private void takeRoom() {
    ModelSession session = session();
    long wanted = 1L + random.nextInt(300);
    long given = Math.min(wanted, model.freeBytes());
    Message reply = change(session, new Names.TakeRoom(wanted));
    if (given == 0) {
      assertThat(group.code(reply)).isEqualTo(ErrorCode.NO_SPACE);
    } else {
      assertThat(reply).isEqualTo(new Names.RoomIs(given));
      session.promisedBytes += given;
    }
  }

  private void endSession() {
    if (random.nextInt(3) > 0) return;
    ModelSession session = session();
    if (random.nextBoolean()) change(session, new Names.EndSession());
    else group.apply(new GroupCommand.ExpireSession(BUFFER, TREE, session.id, group.now()));
    assertThat(group.applied.ended()).containsExactly(new SessionKey(BUFFER, TREE, session.id));
    model.sessions.remove(session.id);
    ended.add(session.id);
    assertThat(group.state.sessions()).hasSize(model.sessions.size());
  }

  private void checkEffects() {
    Set<Content> killed = new HashSet<>();
    Set<DeadIn> whole = new HashSet<>();
    for (DeadIn deadIn : group.applied.dead()) {
      if (deadIn.dead().wholeFile()) assertThat(whole.add(deadIn)).isTrue();
      else killed.addAll(covered(deadIn));
    }
    assertThat(killed).isEqualTo(model.died);
    Set<DeadIn> expected = new HashSet<>();
    for (ModelFile file : model.gone) {
      Data.Dead dead = Data.Dead.file(new FileId(BUFFER, file.number));
      for (GroupId holder : file.groups) expected.add(new DeadIn(holder, dead));
    }
    assertThat(whole).isEqualTo(expected);
    assertThat(group.applied.orphaned())
        .extracting(FileId::number)
        .containsExactlyElementsOf(model.orphaned);
  }

  /** What a seat of the group would kill. */
  private List<Content> covered(DeadIn deadIn) {
    Data.Dead dead = deadIn.dead();
    return model.contents.values().stream()
        .filter(
            content ->
                content.file.number == dead.file().number()
                    && content.session == dead.session()
                    && content.piece.group().equals(deadIn.group())
                    && content.piece.sequence() >= dead.fromSequence()
                    && content.piece.sequence() <= dead.toSequence())
        .toList();
  }

  private void check() {
    Names.UsageIs usage = group.must(Names.UsageIs.class, group.ask(new Names.GetUsage()));
    assertThat(usage.usedBytes()).isEqualTo(model.usedBytes());
    assertThat(usage.promisedBytes()).isEqualTo(model.promisedBytes());
    if (model.capacityBytes > 0) {
      assertThat(usage.usedBytes() + usage.promisedBytes())
          .isLessThanOrEqualTo(model.capacityBytes);
    }
    assertThat(group.state.orphans())
        .extracting(FileId::number)
        .containsExactlyElementsOf(model.orphans.keySet());
    for (ModelFile file : model.all()) {
      if (random.nextInt(4) == 0) checkFile(file);
    }
    if (random.nextInt(10) == 0) checkDead();
  }

  private void checkFile(ModelFile file) {
    assertThat(group.state.fileExists(new FileId(BUFFER, file.number))).isTrue();
    Names.Attributes attributes = group.stat(file.number);
    assertThat(attributes.sizeBytes()).isEqualTo(file.size);
    assertThat(attributes.allocatedBytes()).isEqualTo(file.usedBytes());
    assertThat(attributes.links()).isEqualTo(file.links);
    long offset = random.nextInt(ContentModel.FILE_BYTES_MAX);
    long end = offset + random.nextInt(ContentModel.FILE_BYTES_MAX);
    while (offset < end) {
      Names.FindRuns question =
          new Names.FindRuns(file.number, offset, end - offset, 1 + random.nextInt(4));
      Names.RunsAre answer = group.must(Names.RunsAre.class, group.ask(question));
      assertThat(answer.throughOffset()).isGreaterThan(offset).isLessThanOrEqualTo(end);
      assertThat(answer.runs()).hasSizeLessThanOrEqualTo(question.max());
      checkRuns(file, offset, answer);
      offset = answer.throughOffset();
    }
  }

  private static void checkRuns(ModelFile file, long offset, Names.RunsAre answer) {
    int at = (int) offset;
    for (Names.Run run : answer.runs()) {
      for (; at < run.offset(); at++) checkByte(file, at, isHole(file, at));
      for (int i = 0; i < run.lengthBytes(); i++, at++) {
        checkByte(file, at, isOwned(file.bytes[at], run, i));
      }
    }
    for (; at < answer.throughOffset(); at++) checkByte(file, at, isHole(file, at));
  }

  private static boolean isHole(ModelFile file, int at) {
    return at >= ContentModel.FILE_BYTES_MAX || file.bytes[at] == null;
  }

  private static boolean isOwned(@Nullable Owner owner, Names.Run run, int at) {
    return owner != null
        && run.record().session() == owner.content().session
        && run.record().sequence() == owner.content().piece.sequence()
        && run.group().equals(owner.content().piece.group())
        && run.recordOffset() + at == owner.at();
  }

  private static void checkByte(ModelFile file, int at, boolean right) {
    if (!right) throw new AssertionError("byte " + at + " of file " + file.number);
  }

  /** Of each session, ended ones and one that never was too. */
  private void checkDead() {
    List<Long> ids = new ArrayList<>(model.sessions.keySet());
    ids.addAll(ended);
    ids.add(77L);
    for (long id : ids) {
      ModelSession living = model.sessions.get(id);
      List<Long> asked = new ArrayList<>();
      List<Long> expected = new ArrayList<>();
      for (long sequence = 0; sequence < 200 * 256; sequence += 1 + random.nextInt(256)) {
        asked.add(sequence);
        long piece = sequence / 256;
        boolean mayCome =
            living != null && living.published.stream().noneMatch(each -> each / 256 == piece);
        if (!mayCome && !model.lives(id, sequence)) expected.add(sequence);
      }
      assertThat(group.dead(id, asked)).isEqualTo(expected);
    }
  }
}
