// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.wire.message.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Measures the selector loop against blocking threads that do as little as possible: payloads that
 * are read into a large region, each answered, at most 16 unanswered per connection. Both in turns;
 * medians are printed. Not a test; the decision on the loop names the command.
 */
public final class LoopMeasurement {
  static final int WINDOW = 16;
  static final int SOURCE_BYTES = 64 << 20;
  static final int REGION_BYTES = 512 << 20;

  /** One way to move payloads. */
  interface Mover {
    Outcome move(Load load) throws IOException, InterruptedException;
  }

  /** What to move. */
  record Load(boolean unix, int connections, int payloadBytes, long nanos, Path folder) {
    String name() {
      return "%-4s %4d KiB x %d".formatted(unix ? "unix" : "tcp", payloadBytes >> 10, connections);
    }

    /** A message as a client would send it with such a payload. */
    Data.Put message() {
      int blocks = Math.max(1, payloadBytes >> 16);
      return new Data.Put(
          new GroupId(9),
          3,
          new RecordId(77, 88),
          new FileId(1, 5),
          1L << 30,
          false,
          99,
          Checksums.of(new int[blocks]));
    }

    Path socketFile() throws IOException {
      Path file = folder.resolve("socket");
      Files.deleteIfExists(file);
      return file;
    }
  }

  /** What came of it; CPU times are those of all threads of an end. */
  record Outcome(long payloads, long nanos, long receiverCpuNanos, long senderCpuNanos) {
    double perSecond() {
      return payloads * 1e9 / nanos;
    }
  }

  private LoopMeasurement() {}

  /** Where payloads are sent from. */
  static ByteBuffer source() {
    return touched(SOURCE_BYTES);
  }

  /** Where payloads land: much larger than the caches. */
  static ByteBuffer region() {
    return touched(REGION_BYTES);
  }

  private static ByteBuffer touched(int length) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    for (int i = 0; i < length; i += 4096) bytes.put(i, (byte) 1);
    return bytes;
  }

  /** Takes the seconds of one measurement, how many of each are made, and which (a pattern). */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    Pattern which = Pattern.compile(arguments.length > 2 ? arguments[2] : "");
    Path folder = Files.createTempDirectory("forebay-loop");
    try {
      System.out.printf(
          "%-22s %10s %10s %6s  %s%n",
          "", "blocking", "loop", "ratio", "CPU s/GB receiving, sending: blocking / loop");
      for (boolean unix : new boolean[] {false, true}) {
        for (int payload : new int[] {1 << 20, 64 << 10, 4 << 10}) {
          for (int connections : new int[] {1, 4}) {
            Load load = new Load(unix, connections, payload, (long) (seconds * 1e9), folder);
            if (which.matcher(load.name()).find()) compare(load, rounds);
          }
        }
      }
    } finally {
      Files.deleteIfExists(folder.resolve("socket"));
      Files.delete(folder);
    }
  }

  private static void compare(Load load, int rounds) throws IOException, InterruptedException {
    double[][] rates = new double[2][rounds];
    double[][] receiverCpu = new double[2][rounds];
    double[][] senderCpu = new double[2][rounds];
    Mover[] movers = {BlockingMover::move, LoopMover::move};
    for (int round = -1; round < rounds; round++) {
      for (int i = 0; i < movers.length; i++) {
        Outcome outcome = movers[i].move(load);
        if (round < 0) continue; // The first round warms up.
        rates[i][round] = outcome.perSecond();
        double bytes = outcome.payloads * (double) load.payloadBytes;
        receiverCpu[i][round] = outcome.receiverCpuNanos / bytes;
        senderCpu[i][round] = outcome.senderCpuNanos / bytes;
      }
    }
    double blocking = median(rates[0]);
    double loop = median(rates[1]);
    boolean large = load.payloadBytes >= 64 << 10;
    double unit = large ? load.payloadBytes / 1e9 : 1e-3;
    System.out.printf(
        Locale.ROOT,
        "%s %6s %10.2f %10.2f %6.2f  %5.2f %5.2f / %5.2f %5.2f%n",
        load.name(),
        large ? "GB/s" : "k/s",
        blocking * unit,
        loop * unit,
        loop / blocking,
        median(receiverCpu[0]),
        median(senderCpu[0]),
        median(receiverCpu[1]),
        median(senderCpu[1]));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
