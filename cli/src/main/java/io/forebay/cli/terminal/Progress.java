package io.forebay.cli.terminal;

import io.forebay.base.MonotonicClock;
import java.io.Console;
import java.io.PrintWriter;

/**
 * Shows how far something has come, if it takes longer than a moment: on a terminal a bar that is
 * drawn over itself, elsewhere a plain line now and then. Both go to stderr. Called by one thread.
 *
 * <pre>
 *   verifying  [==========          ]  50 %  31.2 GiB of 62.5 GiB
 * </pre>
 */
public final class Progress implements AutoCloseable {
  private static final long MOMENT_NANOS = 2_000_000_000L;
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 5_000_000_000L;
  private static final int BAR_CELLS = 30;

  private final String label;
  private final PrintWriter err;
  private final boolean terminal;
  private final MonotonicClock clock;
  private long nextNanos;
  private int drawnChars;

  Progress(String label, PrintWriter err, boolean terminal, MonotonicClock clock) {
    this.label = label;
    this.err = err;
    this.terminal = terminal;
    this.clock = clock;
    this.nextNanos = clock.nanos() + MOMENT_NANOS;
  }

  /** For a command. */
  public static Progress of(String label, PrintWriter err) {
    return new Progress(label, err, onTerminal(), MonotonicClock.system());
  }

  /** Draws its bar without waiting for a moment to pass. */
  public Progress fromTheStart() {
    if (terminal) nextNanos = clock.nanos();
    return this;
  }

  /** Whether a person is watching. */
  @SuppressWarnings("SystemConsoleNull") // It is null again where there is none, from JDK 25 on.
  public static boolean onTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /**
   * Says how much is done; cheap enough to be called often.
   *
   * @param detail what to show behind the bar, such as {@code 31.2 GiB of 62.5 GiB}
   */
  public void update(long done, long total, String detail) {
    long nowNanos = clock.nanos();
    if (nowNanos - nextNanos < 0) return;
    nextNanos = nowNanos + (terminal ? REDRAW_NANOS : LINE_NANOS);
    int percent = total <= 0 ? 100 : (int) (Math.clamp((double) done / total, 0, 1) * 100);
    if (terminal) draw(label + "  " + bar(percent) + "  " + percent + " %  " + detail);
    else err.println(label + ": " + percent + " %, " + detail);
    err.flush();
  }

  /** Wipes the bar away, so that results begin on a clean line. */
  @Override
  public void close() {
    if (drawnChars == 0) return;
    err.print("\r" + " ".repeat(drawnChars) + "\r");
    err.flush();
    drawnChars = 0;
  }

  private void draw(String line) {
    err.print("\r" + line + " ".repeat(Math.max(0, drawnChars - line.length())));
    drawnChars = line.length();
  }

  private static String bar(int percent) {
    int full = percent * BAR_CELLS / 100;
    return "[" + "=".repeat(full) + " ".repeat(BAR_CELLS - full) + "]";
  }
}
