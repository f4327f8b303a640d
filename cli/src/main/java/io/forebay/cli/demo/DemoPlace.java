package io.forebay.cli.demo;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a demo and the process that runs in them. All is gone when it is closed, or
 * when this process is told to end before; any thread may close it.
 */
public final class DemoPlace implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "forebay-demo-";
  private static final long REMOVAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final Path work;
  private final Path memory;
  private final @Nullable Path kept;
  private final Thread hook = new Thread(this::end, "demo-clearance");
  private @Nullable Burst burst;
  private volatile boolean ending;

  private DemoPlace(Path work, Path memory, @Nullable Path kept) {
    this.work = work;
    this.memory = memory;
    this.kept = kept;
  }

  /** The directory in memory, or where there is none such, the one given. */
  public static Path memoryRoot(Path otherwise) {
    boolean there = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
    return there ? SHARED_MEMORY : otherwise;
  }

  /**
   * Makes directories below a parent, and in memory.
   *
   * @param kept where the log is made instead and stays, if given
   */
  public static DemoPlace make(Path parent, @Nullable Path kept) throws IOException {
    Path root = memoryRoot(parent);
    Path work = Files.createTempDirectory(parent, PREFIX);
    Path memory = kept != null ? root : Files.createTempDirectory(root, PREFIX);
    DemoPlace place = new DemoPlace(work, memory, kept);
    Runtime.getRuntime().addShutdownHook(place.hook);
    return place;
  }

  /** The log's directory. */
  public Path log() {
    return kept != null ? kept : work.resolve("log");
  }

  /** Where the log's memory segments are. */
  public Path memory() {
    return memory;
  }

  /** The directory on the disk below which all else is. */
  public Path disk() {
    return kept != null ? kept : work;
  }

  /** For other files. */
  public Path work() {
    return work;
  }

  /** Whether this process is being ended. */
  public boolean ending() {
    return ending;
  }

  /** Lets a burst's process end with this place. */
  public synchronized Burst hold(Burst begun) {
    burst = begun;
    return begun;
  }

  @Override
  public void close() {
    clear();
    if (!ending) Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void end() {
    ending = true;
    clear();
  }

  private synchronized void clear() {
    if (burst != null) burst.close();
    removeTree(work);
    if (kept == null) removeTree(memory);
  }

  /** Again and again for a while: the thread that was interrupted may still make files. */
  private static void removeTree(Path tree) {
    MonotonicClock clock = MonotonicClock.system();
    long startNanos = clock.nanos();
    while (Files.exists(tree)) {
      try {
        Files.walkFileTree(tree, new Removal());
      } catch (IOException e) {
        if (clock.nanos() - startNanos > REMOVAL_NANOS_MAX) throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) throw e;
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
