// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import io.forebay.base.MonotonicClock;
import java.io.Console;
import java.io.PrintWriter;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of work that takes longer than a moment: on a terminal a bar that is redrawn
 * in place, elsewhere a plain line at intervals. Both go to stderr. A bar is never wider than the
 * terminal, and is erased even when a signal ends the process. Called by one thread.
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
  private static final int BAR_CELLS_MIN = 8;

  /** What a terminal echoes for Ctrl-C. */
  private static final String ECHO = "^C";

  private final String label;
  private final PrintWriter err;
  private final @Nullable IntSupplier columns;
  private final MonotonicClock clock;
  private @Nullable Thread hook;
  private long nextNanos;
  private int drawnChars;

  /** The last line, where there is no bar. */
  private String printed = "";

  private boolean closed;

  /**
   * Begins to wait.
   *
   * @param columns of the terminal; null where there is none
   */
  Progress(String label, PrintWriter err, @Nullable IntSupplier columns, MonotonicClock clock) {
    this.label = label;
    this.err = err;
    this.columns = columns;
    this.clock = clock;
    this.nextNanos = clock.nanos() + MOMENT_NANOS;
  }

  /** For a command. */
  public static Progress of(String label, PrintWriter err) {
    TerminalWidth width = new TerminalWidth();
    return new Progress(label, err, width.isKnown() ? width : null, MonotonicClock.system());
  }

  /** Draws its bar without waiting for a moment to pass. */
  public Progress fromTheStart() {
    if (columns != null) nextNanos = clock.nanos();
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
    nextNanos = nowNanos + (columns != null ? REDRAW_NANOS : LINE_NANOS);
    int percent = total <= 0 ? 100 : (int) (Math.clamp((double) done / total, 0, 1) * 100);
    if (columns != null) draw(line(percent, detail, widthMax()));
    else printIfNew(label + ": " + percent + " %, " + detail);
    err.flush();
  }

  /** A line is printed only if it says something new. */
  private void printIfNew(String line) {
    if (!line.equals(printed)) err.println(line);
    printed = line;
  }

  /** Shows the activity at once, if its progress is unknown; only on a terminal. */
  public Progress show() {
    if (columns == null) return this;
    draw(cut(label + " ...", widthMax()));
    err.flush();
    return this;
  }

  /** Erases the bar, so that results begin on a clean line. */
  @Override
  public void close() {
    wipe();
    if (hook == null) return;
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // It runs already.
    }
    hook = null;
  }

  /** Also called by the thread that ends the process: later output would stay. */
  private synchronized void wipe() {
    closed = true;
    if (drawnChars == 0) return;
    int wipedChars = Math.min(drawnChars, widthMax()) + ECHO.length();
    err.print("\r" + " ".repeat(wipedChars) + "\r");
    err.flush();
    drawnChars = 0;
  }

  private synchronized void draw(String line) {
    if (closed) return;
    if (hook == null) {
      hook = new Thread(this::wipe, "progress-end");
      Runtime.getRuntime().addShutdownHook(hook);
    }
    int wipedChars = Math.min(drawnChars, widthMax()) - line.length();
    err.print("\r" + line + " ".repeat(Math.max(0, wipedChars)));
    drawnChars = line.length();
  }

  /**
   * Less than there are: after the last column some terminals begin a line, and what a terminal
   * echoes behind the bar must not make it two lines.
   */
  private int widthMax() {
    return columns == null ? 0 : Math.max(0, columns.getAsInt() - 1 - ECHO.length());
  }

  /** The most that fits: first the bar is shortened, then left out, then the detail behind it. */
  private String line(int percent, String detail, int charsMax) {
    String figures = percent + " %  " + detail;
    int cells = charsMax - label.length() - figures.length() - "  []  ".length();
    if (cells >= BAR_CELLS_MIN) {
      return label + "  " + bar(percent, Math.min(cells, BAR_CELLS)) + "  " + figures;
    }
    String brief = label + "  " + figures;
    if (brief.length() <= charsMax) return brief;
    return cut(label + "  " + percent + " %", charsMax);
  }

  private static String cut(String line, int charsMax) {
    return line.length() <= charsMax ? line : line.substring(0, charsMax);
  }

  private static String bar(int percent, int cells) {
    int full = percent * cells / 100;
    return "[" + "=".repeat(full) + " ".repeat(cells - full) + "]";
  }
}
