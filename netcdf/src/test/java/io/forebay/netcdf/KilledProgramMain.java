package io.forebay.netcdf;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A program that writes through logs until it is killed; see {@link KilledProgramTest}. */
final class KilledProgramMain {
  static final int RANKS = 3;
  static final int LENGTH = 200_000;
  private static final int PUTS_BETWEEN_FLUSHES = 300;

  private KilledProgramMain() {}

  /** Arguments: the file, the logs' folder, and a file that tells how many writes have returned. */
  public static void main(String[] arguments) throws IOException {
    Hints hints = Hints.parse("burst_buffer=enable;burst_buffer_dir=" + arguments[1]);
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
          group -> {
            NetcdfFile file =
                NetcdfFile.create(group, arguments[0], Format.CDF5, CreateMode.NEW, hints);
            DimensionId y = file.defineDimension("y", RANKS);
            DimensionId x = file.defineDimension("x", LENGTH);
            VariableId v = file.defineVariable("v", ElementType.INT, y, x);
            file.endDefine();
            for (int i = 0; i < LENGTH; i++) {
              file.put(v, Selection.at(group.rank(), i), Values.of(i + 1));
              progress.putInt(group.rank() * Integer.BYTES, i + 1);
              if (i % PUTS_BETWEEN_FLUSHES == PUTS_BETWEEN_FLUSHES - 1) file.flush();
            }
          });
    }
  }
}
