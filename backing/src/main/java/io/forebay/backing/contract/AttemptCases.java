// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

import static io.forebay.backing.contract.Scratch.require;
import static io.forebay.backing.contract.Scratch.requireEquals;
import static io.forebay.backing.contract.Scratch.requireFailure;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Sighting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** Cases of storing files without failures. */
final class AttemptCases {
  private static final long SOME_TIME_NANOS = TimeUnit.SECONDS.toNanos(1_700_000_000L);

  private final BackingContract contract;
  private final BackingStore other;
  private final Capabilities capabilities;

  AttemptCases(BackingContract contract, BackingStore other) {
    this.contract = contract;
    this.other = other;
    this.capabilities = contract.store().capabilities();
  }

  void add() {
    contract.add("a file is seen only once it is whole", this::wholeOrNothing);
    contract.add("an empty file is stored", this::emptyFile);
    contract.add("pieces are written one behind the other", this::gathered);
    contract.add("a file replaces another in one step", this::replaces);
    contract.add("to write and to commit again is harmless", this::again);
    contract.add("an attempt that was released goes on", this::released);
    contract.add("the attributes are kept as far as the store can", this::attributes);
    if (capabilities.parallelWriters()) {
      contract.add("parts come in any order and from several processes", this::shuffled);
    }
    if (capabilities.holes()) contract.add("unwritten ranges are zeros", this::holes);
    if (capabilities.nameAtCommit())
      contract.add("the commit has the last word on the name", this::renamed);
    else contract.add("another name at the commit is refused", this::otherNameRefused);
    contract.add("directories above a file are made", this::deep);
    contract.add("what has no name yet is read back, or not at all", this::readBack);
  }

  private void wholeOrNothing(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    require(attempt.isTold(), "no handle");
    scratch.requireAbsent(path);
    scratch.writeAll(attempt, content);
    scratch.requireAbsent(path);
    requireEquals(Sighting.PENDING, scratch.store.look(attempt, path));
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
    requireEquals(List.of("file"), scratch.names(scratch.directory, 10));
    requireEquals(Sighting.COMMITTED, scratch.store.look(attempt, path));
    requireEquals(List.of(), scratch.store.leftovers(scratch.directory));
  }

  private void readBack(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    scratch.writeAll(attempt, content);
    CRC32C expected = new CRC32C();
    expected.update(content);
    try {
      int found = other.checksum(attempt, 0, content.length);
      requireEquals((int) expected.getValue(), found);
    } catch (BackingException e) {
      require(e.failure() instanceof BackingFailure.Unsupported, e.failure().sentence());
    }
    scratch.store.abort(attempt);
  }

  private void emptyFile(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("empty");
    scratch.save(path, new byte[0]);
    requireEquals(0L, scratch.store.stat(path).sizeBytes());
    requireEquals(
        0, scratch.store.read(path, BackingStore.ANY_VERSION, 0, ByteBuffer.allocate(10)));
  }

  private void gathered(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("gathered");
    byte[] content = scratch.content(20_000);
    Attempt attempt = scratch.begin(path, content);
    ByteBuffer direct = ByteBuffer.allocateDirect(7_000);
    direct.put(content, 5_000, 7_000).flip();
    List<ByteBuffer> pieces = new ArrayList<>();
    pieces.add(ByteBuffer.wrap(content, 0, 5_000));
    pieces.add(direct.asReadOnlyBuffer());
    pieces.add(ByteBuffer.allocate(0));
    for (int at = 12_000; at < content.length; at += 4) pieces.add(ByteBuffer.wrap(content, at, 4));
    scratch.store.write(attempt, 0, pieces);
    for (ByteBuffer piece : pieces) require(!piece.hasRemaining(), "a piece was left");
    scratch.store.force(attempt);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
  }

  private void replaces(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] before = scratch.content(100_000);
    byte[] after = scratch.content(50_000);
    scratch.save(path, before);
    Attempt attempt = scratch.begin(path, after);
    scratch.writeAll(attempt, after);
    scratch.requireContent(path, before);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, after);
  }

  private void again(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    scratch.writeAll(attempt, content);
    scratch.writeAll(attempt, content);
    scratch.store.commit(attempt, path);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
    // As another process does that finds the commit written down and not the answer.
    other.commit(new Attempt(attempt.plan(), attempt.handle()), path);
    requireEquals(Sighting.COMMITTED, other.look(attempt, path));
    // A committed file is no attempt any more.
    scratch.store.abort(attempt);
    scratch.requireContent(path, content);
  }

  private void released(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    scratch.store.release(attempt);
    scratch.writeUnforced(attempt, content);
    scratch.store.release(attempt);
    scratch.store.release(attempt);
    scratch.store.force(attempt);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
    Attempt gone = scratch.begin(path, content);
    scratch.writeUnforced(gone, content);
    // As the home does that takes an attempt back, while this process has it open.
    other.abort(gone);
    scratch.store.release(gone);
    scratch.requireContent(path, content);
  }

  private void attributes(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    FileAttributes wanted =
        new FileAttributes(0640, FileAttributes.UNKNOWN, FileAttributes.UNKNOWN, SOME_TIME_NANOS);
    byte[] content = scratch.content(10);
    Attempt attempt = scratch.store.begin(scratch.plan(path, content.length, wanted));
    scratch.writeAll(attempt, content);
    scratch.store.commit(attempt, path);
    BackingFile file = scratch.store.stat(path);
    requireEquals(BackingFile.Kind.FILE, file.kind());
    if (!capabilities.attributes()) return;
    requireEquals(0640, file.attributes().mode());
    requireEquals(SOME_TIME_NANOS, file.attributes().modifyNanos());
  }

  private void shuffled(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    Attempt told = new Attempt(attempt.plan(), attempt.handle());
    List<Long> offsets = new ArrayList<>(scratch.parts(content.length));
    Collections.reverse(offsets);
    boolean others = false;
    for (long offset : offsets) {
      BackingStore writer = others ? other : scratch.store;
      writer.write(told, offset, List.of(scratch.part(content, offset)));
      others = !others;
    }
    scratch.store.force(told);
    other.force(told);
    other.commit(told, path);
    scratch.requireContent(path, content);
  }

  private void holes(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = new byte[300_000];
    Arrays.fill(content, 100_000, 200_000, (byte) 7);
    Attempt attempt = scratch.begin(path, content);
    scratch.store.write(attempt, 100_000, List.of(ByteBuffer.wrap(content, 100_000, 100_000)));
    scratch.store.force(attempt);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
  }

  private void renamed(Scratch scratch) throws BackingException {
    byte[] content = scratch.content(1_000);
    Attempt attempt = scratch.begin(scratch.path("planned"), content);
    scratch.writeAll(attempt, content);
    BackingPath path = scratch.path("below/final");
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
    scratch.requireAbsent(scratch.path("planned"));
    requireEquals(Sighting.COMMITTED, scratch.store.look(attempt, path));
  }

  private void otherNameRefused(Scratch scratch) throws BackingException {
    byte[] content = scratch.content(1_000);
    Attempt attempt = scratch.begin(scratch.path("planned"), content);
    scratch.writeAll(attempt, content);
    requireFailure(
        BackingFailure.Changed.class, () -> scratch.store.commit(attempt, scratch.path("final")));
    scratch.requireAbsent(scratch.path("planned"));
    scratch.requireAbsent(scratch.path("final"));
    scratch.store.abort(attempt);
  }

  private void deep(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("a/b/c d/ü€.dat");
    byte[] content = scratch.content(10);
    AttemptPlan plan = scratch.plan(path, content.length);
    Attempt attempt = scratch.store.begin(plan);
    scratch.writeAll(attempt, content);
    scratch.store.commit(attempt, path);
    scratch.requireContent(path, content);
    requireEquals(List.of("a"), scratch.names(scratch.directory, 10));
    requireEquals(List.of("ü€.dat"), scratch.names(scratch.path("a/b/c d"), 10));
  }
}
