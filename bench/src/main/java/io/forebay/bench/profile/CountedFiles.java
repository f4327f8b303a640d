// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.profile;

import io.forebay.bench.ior.file.TestFiles;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.client.profile.count.Profiler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts what the ranks of a program do with files in any storage; a rank counts as a process. Any
 * thread.
 */
public final class CountedFiles {
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private final ConcurrentHashMap<String, Long> numbers = new ConcurrentHashMap<>();
  private final Profiler profiler;
  private final int program;

  /**
   * Begins to count.
   *
   * @param stripeBytes the unit in which the storage spreads files
   */
  public CountedFiles(String name, long stripeBytes) {
    this.profiler =
        new Profiler(stripeBytes, false, file -> paths.get((int) file - 1), System::nanoTime);
    this.program = profiler.program(new ProgramName(0, name));
  }

  private long number(String path) {
    return numbers.computeIfAbsent(
        path,
        added -> {
          synchronized (paths) {
            paths.add(added);
            return (long) paths.size();
          }
        });
  }

  /** The same files, counted as those of a rank. */
  public TestFiles of(int rank, TestFiles files) {
    return new Counted(rank, files);
  }

  /** What was done so far. */
  public ProgramProfile profile() {
    return profiler.counted("").get(0);
  }

  private final class Counted implements TestFiles {
    private final int rank;
    private final TestFiles files;

    Counted(int rank, TestFiles files) {
      this.rank = rank;
      this.files = files;
    }

    @Override
    public TestFile open(String path, boolean write) throws IOException {
      long start = profiler.now();
      TestFile file = files.open(path, write);
      profiler.called(program, Call.OPEN, number(path), rank, start);
      return new CountedFile(rank, number(path), file);
    }

    @Override
    public boolean exists(String path) throws IOException {
      long start = profiler.now();
      boolean exists = files.exists(path);
      profiler.called(program, Call.STAT, 0, rank, start);
      return exists;
    }

    @Override
    public void delete(String path) throws IOException {
      long start = profiler.now();
      files.delete(path);
      profiler.called(program, Call.UNLINK, 0, rank, start);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      long start = profiler.now();
      files.rename(from, to);
      profiler.called(program, Call.RENAME, 0, rank, start);
    }

    @Override
    public void close() throws IOException {
      files.close();
    }
  }

  private final class CountedFile implements TestFiles.TestFile {
    private final int rank;
    private final long number;
    private final TestFiles.TestFile file;

    CountedFile(int rank, long number, TestFiles.TestFile file) {
      this.rank = rank;
      this.number = number;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      long lengthBytes = bytes.remaining();
      Profiler.Access access = new Profiler.Access(rank, rank, profiler.now());
      file.write(bytes, offset);
      profiler.accessed(program, Call.WRITE, number, access, offset, lengthBytes);
    }

    @Override
    public void read(ByteBuffer target, long offset) throws IOException {
      long lengthBytes = target.remaining();
      Profiler.Access access = new Profiler.Access(rank, rank, profiler.now());
      file.read(target, offset);
      profiler.accessed(program, Call.READ, number, access, offset, lengthBytes);
    }

    @Override
    public void sync() throws IOException {
      long start = profiler.now();
      file.sync();
      profiler.called(program, Call.SYNC, number, rank, start);
    }

    @Override
    public void close() throws IOException {
      long start = profiler.now();
      file.close();
      profiler.called(program, Call.CLOSE, number, rank, start);
    }
  }
}
