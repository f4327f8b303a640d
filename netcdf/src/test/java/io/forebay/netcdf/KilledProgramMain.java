// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.client.ForebayOptions;
import io.forebay.client.nio.ForebayFileSystemProvider;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.net.URI;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/** A program that writes through logs until it is killed; see {@link KilledProgramTest}. */
final class KilledProgramMain {
  static final int RANKS = 3;
  static final int LENGTH = 200_000;
  private static final int PUTS_BETWEEN_FLUSHES = 300;

  private KilledProgramMain() {}

  /**
   * Arguments: the file, the logs' folder, a file that tells how many writes have returned, more
   * settings, and whether ranks write together.
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments[1].startsWith("forebay:")) connect(arguments[1]);
    Hints hints =
        Hints.parse("burst_buffer=enable;burst_buffer_dir=" + arguments[1] + ";" + arguments[3]);
    boolean together = Boolean.parseBoolean(arguments[4]);
    try (FileChannel channel =
        FileChannel.open(
            Path.of(arguments[2]),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer progress =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, RANKS * Integer.BYTES);
      ThreadRanks.run(
          RANKS,
          2,
          group -> {
            NetcdfFile file =
                NetcdfFile.create(group, arguments[0], Format.CDF5, CreateMode.NEW, hints);
            DimensionId y = file.defineDimension("y", RANKS);
            DimensionId x = file.defineDimension("x", LENGTH);
            VariableId v = file.defineVariable("v", ElementType.INT, y, x);
            file.endDefine();
            for (int i = 0; i < LENGTH; i++) {
              Selection own = Selection.at(group.rank(), i);
              if (together) file.putAll(v, own, Values.of(i + 1));
              else file.put(v, own, Values.of(i + 1));
              progress.putInt(group.rank() * Integer.BYTES, i + 1);
              if (i % PUTS_BETWEEN_FLUSHES == PUTS_BETWEEN_FLUSHES - 1) file.flush();
            }
          });
    }
  }

  /** Servers should soon notice that this program is gone. */
  private static void connect(String logs) throws IOException {
    ForebayOptions options = ForebayOptions.defaults().withSessionExpiry(Duration.ofSeconds(3));
    Map<String, ?> settings = Map.of(ForebayFileSystemProvider.OPTIONS_KEY, options);
    FileSystems.newFileSystem(URI.create(logs), settings);
  }
}
