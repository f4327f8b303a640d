package io.forebay.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A burst into a store that another process holds, and the ledger of it: what that process has
 * acknowledged is known here, whatever becomes of it.
 */
public final class Burst implements AutoCloseable {
  /** The holder came to an end by itself. The message is one sentence. */
  public static final class HolderEnded extends IOException {
    private static final long serialVersionUID = 1;

    HolderEnded(long pid, int exitCode) {
      super("the process that held the burst (%d) ended with code %d".formatted(pid, exitCode));
    }
  }

  private final DemoPlan plan;
  private final long seed;
  private final Process holder;
  private final BufferedReader lines;
  private final long[] acknowledgedBytes = new long[DemoPlan.RANKS];
  private long waitedNanos;

  private Burst(DemoPlan plan, long seed, Process holder) {
    this.plan = plan;
    this.seed = seed;
    this.holder = holder;
    this.lines = holder.inputReader(StandardCharsets.US_ASCII);
  }

  /** Starts the holder and waits until it is ready. Nothing is written yet. */
  public static Burst begin(DemoPlan plan, Path directory, Path memory, long seed)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                BurstHolder.class.getName()));
    command.addAll(List.of(new BurstOrder(directory, memory, plan, seed).arguments()));
    Process holder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new Burst(plan, seed, holder);
  }

  /** Waits until the holder can take the burst; it begins at once. */
  public void awaitReady() throws IOException {
    if (!BurstHolder.READY.equals(lines.readLine())) throw ended();
  }

  /** Waits for the next acknowledgement. */
  public void awaitMore() throws IOException {
    String line = lines.readLine();
    if (line == null) throw ended();
    accept(line);
  }

  /** Kills the holder with SIGKILL and takes note of what it had still acknowledged. */
  public void kill() throws IOException {
    // By its handle: Process.destroyForcibly would close the pipe with what is still in it.
    holder.toHandle().destroyForcibly();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) accept(line);
    holder.onExit().join();
  }

  public DemoPlan plan() {
    return plan;
  }

  public long holderPid() {
    return holder.pid();
  }

  /** What was acknowledged so far, of all ranks. */
  public long acknowledgedBytes() {
    return Arrays.stream(acknowledgedBytes).sum();
  }

  /** What was acknowledged so far: the beginning of a rank's file. */
  long acknowledgedBytes(int rank) {
    return acknowledgedBytes[rank];
  }

  long seed() {
    return seed;
  }

  /** For how long the application waited for its acknowledgements. */
  public long waitedNanos() {
    return waitedNanos;
  }

  @Override
  public void close() {
    holder.destroyForcibly().onExit().join();
  }

  private void accept(String line) {
    String[] words = line.split(" ", -1);
    acknowledgedBytes[Integer.parseInt(words[0])] = Long.parseLong(words[1]);
    waitedNanos = Long.parseLong(words[2]);
  }

  private HolderEnded ended() {
    return new HolderEnded(holder.pid(), holder.onExit().join().exitValue());
  }
}
