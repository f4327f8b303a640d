// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure;
import io.forebay.base.Bytes;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.DrainSpec;
import io.forebay.seat.TestSeat;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.backing.DirectBacking;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.CopyQueues;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class DrainWriterTest {
  private static final int DRAINED = 1;
  private static final int NOT_DRAINED = 2;
  private static final int WAITING_MAX = 1024;

  /** One slab. */
  private static final long SHUFFLE_BYTES = 64 << 10;

  private static final FileId FILE = new FileId(DRAINED, 5);
  private static final GroupId GROUP = SmallRing.id(1, 1);
  private static final GroupId REMOTE = SmallRing.id(2, 1);
  private static final Drains.Backed NOTHING = new Drains.Backed("", "", 0);
  private static final byte[] BYTES = "some bytes".getBytes(StandardCharsets.UTF_8);

  private final TestSeat seat =
      new TestSeat()
          .follow(
              SmallRing.of(2)
                  .group(1, 1, current(1))
                  .group(2, 1, current(2))
                  .instance(1, false, new DrainSpec("file:/store", ""))
                  .instance(1, false)
                  .map());
  private final DirectBacking backing = new DirectBacking();
  private final Connection home = seat.client();
  private final DrainWriter writer = writer();

  private DrainWriter writer() {
    CorruptRecordRepair mending =
        new CorruptRecordRepair(
            seat.basics(),
            seat.questions(),
            seat.intake(),
            new CopyQueues(seat.basics(), seat.links().peers()),
            group -> null);
    Backings backings = new Backings(seat.basics(), (address, owner) -> backing);
    return new DrainWriter(
        new WriterParts(seat.basics(), seat.questions(), mending, backings),
        new Overload(seat.basics(), seat.questions(), false),
        SHUFFLE_BYTES);
  }

  private static Drains.AttemptIs attempt(String target) {
    return new Drains.AttemptIs("a1", target, 1000, 0644, 0, 0, 1, "h");
  }

  private static Drains.Source source(int chunkOffset, GroupId group, RecordId record) {
    return new Drains.Source(chunkOffset, BYTES.length, group, record, 0);
  }

  private static Drains.WriteChunk chunk(long offset, int lengthBytes, Drains.Source... sources) {
    return new Drains.WriteChunk(
        GROUP, 7, DRAINED, attempt("file"), offset, lengthBytes, NOTHING, List.of(sources));
  }

  /** A chunk whose bytes another seat has. */
  private static Drains.WriteChunk remote(int number) {
    RecordId record = new RecordId(4, number * 256L);
    return chunk(0, BYTES.length, source(0, REMOTE, record));
  }

  private List<Message> write(Drains.WriteChunk chunk) {
    writer.write(home, 5, chunk);
    return answers();
  }

  private List<Message> answers() {
    return seat.takeSent().stream()
        .filter(sent -> sent.connection().equals(home))
        .map(Sent::message)
        .toList();
  }

  private static void assertRefused(List<Message> answers, ErrorCode code) {
    assertThat(answers)
        .singleElement()
        .satisfies(answer -> assertThat(((Replies.Failed) answer).code()).isEqualTo(code));
  }

  private List<Message> force(Drains.AttemptIs attempt, long start) {
    writer.force(home, 5, new Drains.ForceChunks(GROUP, 7, DRAINED, attempt, start));
    return answers();
  }

  private static Bytes bytes(byte[] all) {
    return Bytes.copyOf(ByteBuffer.wrap(all));
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  @Test
  void bytesOfRecordsAndZerosBetweenThemAreWrittenInOneRequest() {
    RecordId record = seat.keep(FILE, GROUP, BYTES);
    int length = 3 * BYTES.length;
    List<Message> answers = write(chunk(100, length, source(BYTES.length, GROUP, record)));
    byte[] expected = new byte[length];
    System.arraycopy(BYTES, 0, expected, BYTES.length, BYTES.length);
    assertThat(backing.written())
        .singleElement()
        .satisfies(write -> assertThat(write.offset()).isEqualTo(100))
        .satisfies(write -> assertThat(write.bytes()).isEqualTo(bytes(expected)));
    long start = seat.basics().self().processStart();
    assertThat(answers).containsExactly(new Drains.ChunkWritten(checksum(expected), start));
  }

  @Test
  void bytesOfAnotherSeatAreFetchedBeforeAnythingIsWritten() {
    writer.write(home, 5, remote(1));
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().message()).isInstanceOf(Data.Get.class);
    assertThat(backing.written()).isEmpty();
    sent.getFirst().answer(new Replies.Failed(ErrorCode.GONE, "not here"));
    assertRefused(answers(), ErrorCode.GONE);
    assertThat(backing.written()).as("bytes that no seat has are not zeros").isEmpty();
  }

  @Test
  void aRecordOfAnotherInstanceIsNotWritten() {
    RecordId other = seat.keep(new FileId(NOT_DRAINED, 5), GROUP, BYTES);
    assertRefused(write(chunk(0, BYTES.length, source(0, GROUP, other))), ErrorCode.GONE);
    assertThat(backing.written()).isEmpty();
  }

  @Test
  void writesThatMakeNoSenseAreRefused() {
    RecordId record = seat.keep(FILE, GROUP, BYTES);
    Drains.Source[] many =
        Collections.nCopies(Drains.SOURCES_MAX + 1, source(0, GROUP, record))
            .toArray(Drains.Source[]::new);
    assertRefused(write(chunk(0, 0)), ErrorCode.INVALID);
    assertRefused(write(chunk(-1, 10)), ErrorCode.INVALID);
    assertRefused(write(chunk(0, BYTES.length, many)), ErrorCode.INVALID);
    for (String target : List.of("", "../file")) {
      Drains.WriteChunk outside =
          new Drains.WriteChunk(GROUP, 7, DRAINED, attempt(target), 0, 10, NOTHING, List.of());
      assertRefused(write(outside), ErrorCode.INVALID);
    }
    assertThat(backing.written()).isEmpty();
  }

  @Test
  void namesThatCannotBeInAStoreAreRefusedBeforeAnythingIsRead() {
    Drains.Backed outside = new Drains.Backed("../other", "tag", 10);
    Drains.WriteChunk part =
        new Drains.WriteChunk(GROUP, 7, DRAINED, attempt("file"), 0, 10, outside, List.of());
    assertRefused(write(part), ErrorCode.INVALID);
    for (Drains.Member member :
        List.of(
            new Drains.Member("m", 10, 0644, 0, 0, 1, outside),
            new Drains.Member("../m", 10, 0644, 0, 0, 1, NOTHING))) {
      assertRefused(write(pack(0, 10, List.of(member))), ErrorCode.INVALID);
    }
    assertThat(backing.written()).isEmpty();
  }

  @Test
  void filesOfAPackCannotBeShorterThanNothing() {
    Drains.Member negative = new Drains.Member("m", -10, 0644, 0, 0, 1, NOTHING);
    Drains.Member rest = new Drains.Member("n", 10, 0644, 0, 0, 1, NOTHING);
    assertRefused(write(pack(0, 10, List.of(negative, rest))), ErrorCode.INVALID);
    assertThat(backing.written()).isEmpty();
  }

  @Test
  void sourcesThatOverlapOrReachOutOfTheChunkAreRefused() {
    RecordId record = seat.keep(FILE, GROUP, BYTES);
    Drains.Source source = source(0, GROUP, record);
    assertRefused(write(chunk(0, 2 * BYTES.length, source, source)), ErrorCode.GONE);
    assertRefused(write(chunk(0, BYTES.length - 1, source)), ErrorCode.GONE);
    assertThat(backing.written()).isEmpty();
  }

  private static Drains.WriteChunk pack(long offset, int lengthBytes, int... members) {
    return pack(
        offset,
        lengthBytes,
        Arrays.stream(members)
            .mapToObj(length -> new Drains.Member("m" + length, length, 0644, 0, 0, 1, NOTHING))
            .toList());
  }

  private static Drains.WriteChunk pack(long offset, int lengthBytes, List<Drains.Member> members) {
    return new Drains.WriteChunk(
        GROUP, 7, DRAINED, attempt("file"), offset, lengthBytes, NOTHING, List.of(), members);
  }

  @Test
  void aPackIsWrittenOnlyAsAWhole() {
    assertRefused(write(pack(0, 30, 10, 21)), ErrorCode.INVALID);
    assertRefused(write(pack(1, 30, 10, 20)), ErrorCode.INVALID);
    assertThat(backing.written()).isEmpty();
    assertThat(write(pack(0, 30, 10, 20))).hasOnlyElementsOfType(Drains.ChunkWritten.class);
    assertThat(backing.written()).hasSize(1);
    ByteBuffer written = backing.written().getFirst().bytes().asBuffer();
    assertThat(StandardCharsets.ISO_8859_1.decode(written).toString())
        .as("with the frames of its files")
        .startsWith("PK")
        .contains("m10")
        .contains("m20");
  }

  @Test
  void anInstanceWithoutAStoreIsRefused() {
    Drains.WriteChunk chunk =
        new Drains.WriteChunk(GROUP, 7, NOT_DRAINED, attempt("file"), 0, 10, NOTHING, List.of());
    assertRefused(write(chunk), ErrorCode.REFUSED);
  }

  @Test
  void aBusyStoreIsNotAsked() {
    backing.setRoom(0);
    assertRefused(write(chunk(0, 10)), ErrorCode.BUSY);
    assertThat(backing.written()).isEmpty();
  }

  @Test
  void failuresOfTheStoreTellTheHomeWhatToDo() {
    backing.fail(new BackingFailure.Unavailable("away"));
    assertRefused(write(chunk(0, 10)), ErrorCode.UNAVAILABLE);
    backing.fail(new BackingFailure.Changed("another attempt"));
    assertRefused(write(chunk(0, 10)), ErrorCode.STALE_HANDLE);
    backing.fail(new BackingFailure.NoSpace("full"));
    assertRefused(write(chunk(0, 10)), ErrorCode.REFUSED);
    backing.fail(null);
    assertThat(write(chunk(0, 10)))
        .as("the memory of failed writes is free again")
        .hasOnlyElementsOfType(Drains.ChunkWritten.class);
  }

  @Test
  void aForceForAnEarlierProcessIsRefused() {
    long start = seat.basics().self().processStart();
    assertThat(force(attempt("file"), start)).containsExactly(new Replies.Done());
    assertRefused(force(attempt("file"), start + 1), ErrorCode.STALE_HANDLE);
  }

  @Test
  void aForceThatFailsOrCannotBeMadeIsNotConfirmed() {
    long start = seat.basics().self().processStart();
    assertRefused(force(attempt(""), start), ErrorCode.INVALID);
    backing.fail(new BackingFailure.Unavailable("away"));
    assertRefused(force(attempt("file"), start), ErrorCode.UNAVAILABLE);
    backing.fail(null);
    backing.setRoom(0);
    assertRefused(force(attempt("file"), start), ErrorCode.BUSY);
  }

  @Test
  void anAttemptThatIsOverIsClosedHere() {
    write(chunk(0, 10));
    assertThat(backing.released()).isEmpty();
    writer.over(home, 5, new Drains.AttemptOver(attempt("file")));
    assertThat(backing.released()).containsExactly("a1");
    assertThat(answers()).containsExactly(new Replies.Done());
    writer.over(home, 5, new Drains.AttemptOver(attempt("")));
    assertRefused(answers(), ErrorCode.INVALID);
  }

  @Test
  void writesBeyondTheMemoryOfTheShuffleWaitForTheirTurn() {
    writer.write(home, 5, remote(1));
    writer.write(home, 6, remote(2));
    List<Sent> first = seat.takeSent();
    assertThat(first).hasSize(1);
    first.getFirst().answer(new Replies.Failed(ErrorCode.GONE, "not here"));
    List<Sent> next = seat.takeSent();
    assertThat(next).extracting(Sent::request).contains(5L);
    assertThat(next).filteredOn(sent -> sent.message() instanceof Data.Get).hasSize(1);
    assertThat(writer.mostBytes()).isEqualTo(SHUFFLE_BYTES);
  }

  @Test
  void tooManyWaitingWritesAreRefused() {
    for (int i = 0; i <= WAITING_MAX; i++) writer.write(home, i, remote(i + 1));
    assertThat(answers()).isEmpty();
    assertRefused(write(remote(WAITING_MAX + 2)), ErrorCode.BUSY);
  }
}
