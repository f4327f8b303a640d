// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import io.forebay.parallel.Ranks;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with any kind of damage are read, or are an error of the right type; memory stays small.
 */
@Timeout(120)
class MalformedFileTest {
  private static final int FILES = 900;
  private static final long ELEMENTS_MAX = 100_000;
  private static final long ALLOCATED_BYTES_MAX = 32 << 20;

  @TempDir Path folder;

  private byte[] sound(Format format) throws IOException {
    Path path = folder.resolve("sound.nc");
    try (Group alone = Ranks.alone()) {
      NetcdfFile file =
          NetcdfFile.create(alone, path.toString(), format, CreateMode.REPLACE, Hints.none());
      DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
      DimensionId x = file.defineDimension("x", 5);
      file.putAttribute(Attribute.text("title", "a title"));
      VariableId fixed = file.defineVariable("fixed", ElementType.DOUBLE, x);
      VariableId records = file.defineVariable("records", ElementType.SHORT, t, x);
      VariableId text = file.defineVariable("text", ElementType.CHAR, t);
      file.putAttribute(records, Attribute.ofInts("numbers", 1, 2, 3));
      file.endDefine();
      file.putAll(fixed, Selection.all(), Values.of(1.0, 2, 3, 4, 5));
      file.putAll(records, Selection.all(), Values.of(new int[20]));
      file.putAll(text, Selection.all(), Values.text("abcd"));
      file.close();
    }
    return Files.readAllBytes(path);
  }

  @Test
  void damageIsAnErrorOfTheRightType() throws IOException {
    long seed = TestSeed.first("MalformedFileTest");
    SplittableRandom random = new SplittableRandom(seed);
    Path path = folder.resolve("damaged.nc");
    List<byte[]> sound = List.of(sound(Format.CDF1), sound(Format.CDF2), sound(Format.CDF5));
    int errors = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = sound.get(i % sound.size()).clone();
      damage(bytes, random);
      int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length;
      Files.write(path, Arrays.copyOf(bytes, length));
      long before = allocated();
      try {
        readAll(path);
      } catch (NetcdfException e) {
        errors++;
      } catch (RuntimeException | IOException e) {
        throw new AssertionError("fails with -Dforebay.seed=" + seed + ", file " + i, e);
      }
      assertThat(allocated() - before)
          .as("seed %d, file %d", seed, i)
          .isLessThan(ALLOCATED_BYTES_MAX);
    }
    assertThat(errors).isBetween(FILES / 10, FILES);
  }

  private static void damage(byte[] bytes, SplittableRandom random) {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(bytes.length);
      if (random.nextInt(4) == 0 && at + Integer.BYTES <= bytes.length) {
        // A size out of all proportion.
        bytes[at] = 0x7f;
        bytes[at + 1] = (byte) random.nextInt();
      } else {
        bytes[at] = (byte) random.nextInt(-2, 13);
      }
    }
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  private static void readAll(Path path) throws IOException {
    try (Group alone = Ranks.alone();
        Arena arena = Arena.ofShared()) {
      NetcdfFile file = NetcdfFile.open(alone, path.toString(), OpenMode.READ, Hints.none());
      Header header = file.header();
      for (Variable variable : header.variables()) {
        long elements = header.elements(variable);
        if (header.isRecord(variable)) elements *= header.recordCount();
        if (elements < 0 || elements > ELEMENTS_MAX) continue;
        MemorySegment memory = arena.allocate(elements * variable.type().sizeBytes(), 8);
        Values values = Values.of(memory, variable.type());
        file.getAll(file.variable(variable.name()), Selection.all(), values);
      }
      file.close();
    }
  }
}
