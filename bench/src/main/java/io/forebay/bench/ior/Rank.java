// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.ior.file.TestFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One task. It has a thread, a buffer and a connection of its own. */
final class Rank implements AutoCloseable {
  /** Where all tasks wait for each other. */
  interface Meeting {
    void await() throws IOException;
  }

  private final IorPlan plan;
  private final IorLayout layout;
  private final int number;
  private final String testFile;
  private final TestFiles files;
  private final Meeting meeting;
  private final ByteBuffer transfer;

  Rank(IorPlan plan, IorTarget target, int number, Meeting meeting) throws IOException {
    this.plan = plan;
    this.layout = plan.layout();
    this.number = number;
    this.testFile = target.testFile();
    this.files = target.connect();
    this.meeting = meeting;
    this.transfer =
        ByteBuffer.allocateDirect(layout.transferBytes()).order(ByteOrder.nativeOrder());
  }

  /** Runs a phase, and returns its times. */
  RankTimes run(Phase phase) throws IOException {
    int owner = phase.owner(number, layout.tasks());
    boolean write = phase.kind() == Phase.Kind.WRITE;
    if (write) fill(owner);
    meeting.await();
    long open = System.nanoTime();
    TestFiles.TestFile file = files.open(layout.file(testFile, owner), write);
    long opened;
    long move;
    long moved;
    long close;
    long wrong;
    try (file) {
      opened = System.nanoTime();
      meetBetween();
      move = System.nanoTime();
      wrong = move(phase.kind(), file, owner);
      moved = System.nanoTime();
      meetBetween();
      close = System.nanoTime();
    }
    return new RankTimes(open, opened, move, moved, close, System.nanoTime(), wrong);
  }

  private void meetBetween() throws IOException {
    if (plan.has(IorOption.BARRIERS)) meeting.await();
  }

  /** Returns the number of transfers with wrong content. */
  private long move(Phase.Kind kind, TestFiles.TestFile file, int owner) throws IOException {
    TransferOrder order = layout.order(owner);
    boolean syncEach = plan.has(IorOption.FSYNC_PER_WRITE);
    long wrong = 0;
    for (long index = 0; index < layout.transfersPerTask(); index++) {
      long offset = order.offset(index);
      transfer.clear();
      if (kind == Phase.Kind.WRITE) {
        transfer.putLong(0, offset);
        file.write(transfer, offset);
        if (syncEach) file.sync();
      } else {
        file.read(transfer, offset);
        if (kind == Phase.Kind.CHECK && !isRight(owner, offset)) wrong++;
      }
    }
    if (kind == Phase.Kind.WRITE && plan.has(IorOption.FSYNC)) file.sync();
    return wrong;
  }

  /** All transfers have the same words, except the first word, which is the offset. */
  private void fill(int owner) {
    for (int at = Long.BYTES; at < transfer.capacity(); at += Long.BYTES) {
      transfer.putLong(at, word(owner, at));
    }
  }

  private boolean isRight(int owner, long offset) {
    if (transfer.getLong(0) != offset) return false;
    for (int at = Long.BYTES; at < transfer.capacity(); at += Long.BYTES) {
      if (transfer.getLong(at) != word(owner, at)) return false;
    }
    return true;
  }

  private long word(int owner, int at) {
    return ((long) owner << Integer.SIZE) | ((layout.seed() + at / Long.BYTES) & 0xFFFF_FFFFL);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
