package io.forebay.cli.demo;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * What the application would have waited for without a buffer: the same ranks write the same bytes
 * into files of the same names on the disk, and force them.
 */
public final class DirectWrite {
  private final DemoPlan plan;
  private final BurstPattern pattern;
  private final Path directory;
  private final Ranks ranks = new Ranks();

  private DirectWrite(Burst burst, Path directory) {
    this.plan = burst.plan();
    this.pattern = new BurstPattern(burst.seed());
    this.directory = directory;
  }

  /** Lets the ranks write into a directory that is there. */
  public static DirectWrite begin(Burst burst, Path directory) {
    DirectWrite write = new DirectWrite(burst, directory);
    write.ranks.start(write::run);
    return write;
  }

  /** Whether everything is written and forced; if that failed, this says why. */
  public boolean isFinished() throws IOException {
    return ranks.finished();
  }

  /** What was written so far. */
  public long writtenBytes() {
    return ranks.doneBytes();
  }

  /** For how long the application has waited, without the making of the bytes. */
  public long waitedNanos() {
    return ranks.waitedNanos();
  }

  private void run(int rank) throws IOException {
    try (FileChannel shared = open(Checkpoint.SHARED);
        FileChannel own = open(Checkpoint.ownFile(rank))) {
      ByteBuffer record = BurstPattern.buffer();
      for (int number = 0; number < plan.recordsPerRank(); number++) {
        pattern.fill(record, rank, number);
        Checkpoint.Spot spot = Checkpoint.spot(rank, number);
        FileChannel file = spot.file().equals(Checkpoint.SHARED) ? shared : own;
        ranks.waiting(rank, () -> write(file, record, spot.offset()));
        ranks.done(BurstPattern.RECORD_BYTES);
      }
      ranks.waiting(rank, () -> force(shared, own));
    }
  }

  private FileChannel open(String name) throws IOException {
    return FileChannel.open(directory.resolve(name), CREATE, WRITE);
  }

  private static int write(FileChannel file, ByteBuffer record, long offset) throws IOException {
    int written = 0;
    while (record.hasRemaining()) written += file.write(record, offset + written);
    return written;
  }

  private static boolean force(FileChannel shared, FileChannel own) throws IOException {
    shared.force(true);
    own.force(true);
    return true;
  }
}
