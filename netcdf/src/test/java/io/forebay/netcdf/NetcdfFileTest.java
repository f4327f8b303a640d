// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.netcdf.data.Mapping;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class NetcdfFileTest {
  @TempDir Path folder;

  private String name() {
    return folder.resolve("file.nc").toString();
  }

  private NetcdfFile create(Group group) throws IOException {
    return NetcdfFile.create(group, name(), Format.CDF5, CreateMode.REPLACE, Hints.none());
  }

  private static void expect(NetcdfError error, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(NetcdfException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void aTourOfTheFile() throws IOException {
    ThreadRanks.run(
        4,
        group -> {
          NetcdfFile file = create(group);
          DimensionId time = file.defineDimension("time", Dimension.UNLIMITED);
          DimensionId x = file.defineDimension("x", 8);
          VariableId v = file.defineVariable("v", ElementType.FLOAT, time, x);
          VariableId scalar = file.defineVariable("scalar", ElementType.INT);
          VariableId text = file.defineVariable("text", ElementType.CHAR, x);
          file.putAttribute(Attribute.text("title", "a tour"));
          file.putAttribute(v, Attribute.text("units", "K"));
          file.endDefine();
          int rank = group.rank();
          // Each rank writes two columns of three records.
          Selection columns = Selection.of(new long[] {0, 2L * rank}, new long[] {3, 2});
          file.putAll(v, columns, Values.of(1 * rank, 2, 3, 4, 5, 6));
          file.putAll(
              scalar,
              rank == 2 ? Selection.at() : Selection.none(),
              rank == 2 ? Values.of(42) : Values.of(new int[0]));
          file.putAll(
              text,
              rank == 0 ? Selection.all() : Selection.none(),
              Values.text(rank == 0 ? "netcdf 5" : ""));
          int[] row = new int[8];
          file.getAll(v, Selection.of(new long[] {0, 0}, new long[] {1, 8}), Values.of(row));
          assertThat(row).containsExactly(0, 2, 1, 2, 2, 2, 3, 2);
          assertThat(file.header().recordCount()).isEqualTo(3);
          file.close();
          file = NetcdfFile.open(group, name(), OpenMode.READ, Hints.none());
          assertThat(file.header().attributes().getFirst().text()).isEqualTo("a tour");
          int[] one = new int[1];
          file.get(file.variable("scalar"), Selection.all(), Values.of(one));
          assertThat(one[0]).isEqualTo(42);
          byte[] bytes = new byte[8];
          file.get(text, Selection.all(), Values.text(bytes));
          assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("netcdf 5");
          file.close();
        });
  }

  @Test
  void aWrongRequestOfOneRankIsTheSameErrorOnAll() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group);
          DimensionId x = file.defineDimension("x", 6);
          VariableId v = file.defineVariable("v", ElementType.BYTE, x);
          file.endDefine();
          int rank = group.rank();
          long[] start = {rank == 1 ? 6 : 2L * rank};
          Selection two = Selection.of(start, new long[] {2});
          assertThatThrownBy(() -> file.putAll(v, two, Values.of(1, 2)))
              .isInstanceOfSatisfying(
                  NetcdfException.class,
                  e -> assertThat(e.error()).isEqualTo(NetcdfError.OUT_OF_BOUNDS))
              .hasMessageContaining("rank 1");
          // One value too many on one rank; text on another.
          Selection own = Selection.of(new long[] {2L * rank}, new long[] {2});
          Values values = rank == 2 ? Values.of(1, 2, 3) : Values.of(1, 2);
          expect(NetcdfError.WRONG_LENGTH, () -> file.putAll(v, own, values));
          Values maybeText = rank == 0 ? Values.text("ab") : Values.of(1, 2);
          expect(NetcdfError.TEXT_AND_NUMBERS, () -> file.putAll(v, own, maybeText));
          // What does not fit becomes a fill value; the rest is written, and all are told.
          Values large = Values.of(7, rank == 0 ? 1000 : 8);
          expect(NetcdfError.OUT_OF_RANGE, () -> file.putAll(v, own, large));
          int[] all = new int[6];
          file.getAll(v, Selection.all(), Values.of(all));
          assertThat(all).containsExactly(7, -127, 7, 8, 7, 8);
          expect(
              NetcdfError.NOT_FOUND, () -> file.getAll(new VariableId(rank), own, Values.of(1, 2)));
          file.close();
        });
  }

  @Test
  void callsInTheWrongModeAreErrors() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group);
          VariableId v = file.defineVariable("v", ElementType.INT);
          expect(NetcdfError.WRONG_MODE, () -> file.putAll(v, Selection.all(), Values.of(1)));
          expect(NetcdfError.WRONG_MODE, () -> file.get(v, Selection.all(), Values.of(1)));
          file.endDefine();
          expect(NetcdfError.WRONG_MODE, () -> file.defineDimension("x", 1));
          expect(NetcdfError.WRONG_MODE, file::endDefine);
          file.close();
          expect(NetcdfError.WRONG_MODE, () -> file.put(v, Selection.all(), Values.of(1)));
          NetcdfFile read = NetcdfFile.open(group, name(), OpenMode.READ, Hints.none());
          expect(NetcdfError.WRONG_MODE, () -> read.putAll(v, Selection.all(), Values.of(1)));
          expect(NetcdfError.WRONG_MODE, read::redefine);
          read.close();
          expect(
              NetcdfError.EXISTS,
              () -> NetcdfFile.create(group, name(), Format.CDF1, CreateMode.NEW, Hints.none()));
          expect(
              NetcdfError.STORAGE,
              () -> NetcdfFile.open(group, name() + "-", OpenMode.READ, Hints.none()));
        });
  }

  @Test
  void ranksThatDisagreeAreTold() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group);
          file.defineDimension("x", 5 + group.rank());
          expect(NetcdfError.RANKS_DIFFER, file::endDefine);
          expect(
              NetcdfError.RANKS_DIFFER,
              () -> NetcdfFile.open(group, "a" + group.rank(), OpenMode.READ, Hints.none()));
        });
  }

  @Test
  void definitionsAreChecked() throws IOException {
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(group, name(), Format.CDF2, CreateMode.NEW, Hints.none());
          DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
          DimensionId x = file.defineDimension("x", 2);
          expect(NetcdfError.NAME_IN_USE, () -> file.defineDimension("x", 2));
          expect(NetcdfError.BAD_DIMENSION, () -> file.defineDimension("u", 0));
          expect(NetcdfError.BAD_DIMENSION, () -> file.defineDimension("n", -1));
          expect(NetcdfError.BAD_DIMENSION, () -> file.defineVariable("v", ElementType.INT, x, t));
          expect(NetcdfError.BAD_TYPE, () -> file.defineVariable("v", ElementType.UINT, x));
          expect(NetcdfError.BAD_NAME, () -> file.defineVariable("a/b", ElementType.INT, x));
          VariableId v = file.defineVariable("v", ElementType.INT, x);
          expect(NetcdfError.NAME_IN_USE, () -> file.defineVariable("v", ElementType.INT));
          expect(
              NetcdfError.BAD_TYPE,
              () -> file.putAttribute(v, Attribute.ofDoubles(Attribute.FILL_VALUE, 1)));
          file.putAttribute(v, Attribute.text("a", "1"));
          file.deleteAttribute(v, "a");
          expect(NetcdfError.NOT_FOUND, () -> file.deleteAttribute(v, "a"));
          file.renameVariable(v, "w");
          assertThat(file.variable("w")).isEqualTo(v);
          file.close();
        });
  }

  @Test
  void aPartIsTransposedOnItsWay() throws IOException {
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file = create(group);
          DimensionId y = file.defineDimension("y", 2);
          DimensionId x = file.defineDimension("x", 3);
          VariableId v = file.defineVariable("v", ElementType.INT, y, x);
          file.endDefine();
          Subarray whole = Subarray.of(new long[] {0, 0}, new long[] {2, 3});
          Selection turned = Selection.mapped(whole, Mapping.of(1, 2));
          file.put(v, turned, Values.of(11, 21, 12, 22, 13, 23));
          int[] rows = new int[6];
          file.get(v, Selection.all(), Values.of(rows));
          assertThat(rows).containsExactly(11, 12, 13, 21, 22, 23);
          int[] columns = new int[6];
          file.getAll(v, turned, Values.of(columns));
          assertThat(columns).containsExactly(11, 21, 12, 22, 13, 23);
          file.close();
        });
  }

  @Test
  void postedRequestsAreDoneWhenTheyAreWaitedFor() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group);
          DimensionId x = file.defineDimension("x", 4);
          VariableId v = file.defineVariable("v", ElementType.SHORT, x);
          file.endDefine();
          int rank = group.rank();
          Pending first = file.postPut(v, Selection.at(2L * rank), Values.of(1 + rank));
          Pending second = file.postPut(v, Selection.at(2L * rank + 1), Values.of(7));
          Pending third = file.postPut(v, Selection.at(2L * rank + 1), Values.of(9));
          file.cancel(third);
          file.waitFor(List.of(first));
          expect(NetcdfError.NOT_FOUND, () -> file.waitFor(List.of(first)));
          int[] all = new int[4];
          file.postGet(v, Selection.all(), Values.of(all));
          file.waitAll();
          assertThat(second.number()).isPositive();
          assertThat(all).containsExactly(1, 7, 2, 7);
          file.close();
        });
  }

  @Test
  void recordsAreFilledOnRequest() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group);
          DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
          DimensionId x = file.defineDimension("x", 5);
          VariableId v = file.defineVariable("v", ElementType.DOUBLE, t, x);
          VariableId w = file.defineVariable("w", ElementType.UINT64, x);
          file.defineFill(w, true);
          file.endDefine();
          file.fillRecord(v, 1);
          assertThat(file.header().recordCount()).isEqualTo(2);
          double[] values = new double[10];
          file.getAll(v, Selection.all(), Values.of(values));
          assertThat(values[4]).isZero();
          assertThat(values[5]).isEqualTo(ElementType.DOUBLE.fillFraction());
          long[] longs = new long[5];
          file.getAll(w, Selection.all(), Values.of(longs).unsigned());
          assertThat(longs).containsOnly(-2);
          expect(NetcdfError.OUT_OF_BOUNDS, () -> file.fillRecord(w, 0));
          file.close();
        });
  }

  @Test
  void whatLiesBehindTheEndOfAFileIsZeros() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group);
          VariableId v = file.defineVariable("v", ElementType.INT, file.defineDimension("x", 1000));
          file.endDefine();
          int[] ones = new int[1000];
          java.util.Arrays.fill(ones, 1);
          file.putAll(v, Selection.all(), Values.of(ones));
          file.close();
          if (group.rank() == 0) {
            byte[] bytes = Files.readAllBytes(Path.of(name()));
            Files.write(Path.of(name()), java.util.Arrays.copyOf(bytes, bytes.length - 8));
          }
          group.barrier();
          NetcdfFile read = NetcdfFile.open(group, name(), OpenMode.READ, Hints.none());
          int[] values = new int[1000];
          java.util.Arrays.fill(values, 9);
          read.getAll(v, Selection.all(), Values.of(values));
          assertThat(values).startsWith(1, 1).endsWith(1, 0, 0);
          java.util.Arrays.fill(values, 9);
          read.get(v, Selection.all(), Values.of(values));
          assertThat(values).startsWith(1, 1).endsWith(1, 0, 0);
          read.close();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct:", "log:"})
  void aVariableThatIsAddedLaterIsFilledInTheRecordsThatThereAre(String driver) throws IOException {
    int records = 5;
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(
                  group, driver + name(), Format.CDF1, CreateMode.REPLACE, Hints.none());
          DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
          DimensionId x = file.defineDimension("x", 4);
          VariableId v = file.defineVariable("v", ElementType.INT, t, x);
          file.endDefine();
          file.putAll(v, Selection.all(), Values.of(new int[4 * records]));
          file.redefine();
          VariableId w = file.defineVariable("w", ElementType.SHORT, t, x);
          file.putAttribute(
              w, new Attribute("_FillValue", ElementType.SHORT, Bytes.copyOf(new byte[] {0, 77})));
          file.defineFill(w, true);
          VariableId single = file.defineVariable("single", ElementType.BYTE, t);
          file.defineFill(single, true);
          file.endDefine();
          int[] values = new int[4 * records];
          file.getAll(w, Selection.all(), Values.of(values));
          assertThat(values).containsOnly(77);
          int[] bytes = new int[records];
          file.getAll(single, Selection.all(), Values.of(bytes));
          assertThat(bytes).containsOnly(-127);
          file.getAll(v, Selection.all(), Values.of(values));
          assertThat(values).containsOnly(0);
          file.close();
        });
  }

  /** More runs than are in memory at a time, of ranks that overlap. */
  @ParameterizedTest
  @ValueSource(strings = {"direct:", "log:"})
  void stridedWritesOfManyElements(String driver) throws IOException {
    int elements = 150_000;
    int stride = 3;
    int shift = 30_000;
    int ranks = 2;
    int length = elements * stride + shift * stride;
    int[] all = new int[length];
    ThreadRanks.run(
        ranks,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(
                  group, driver + name(), Format.CDF5, CreateMode.REPLACE, Hints.none());
          DimensionId x = file.defineDimension("x", length);
          VariableId v = file.defineVariable("v", ElementType.SHORT, x);
          file.endDefine();
          int[] values = new int[elements];
          java.util.Arrays.fill(values, 10 + group.rank());
          long[] start = {(long) group.rank() * shift * stride};
          Selection own = Selection.strided(start, new long[] {elements}, new long[] {stride});
          file.putAll(v, own, Values.of(values));
          file.close();
          NetcdfFile read = NetcdfFile.open(group, name(), OpenMode.READ, Hints.none());
          if (group.rank() == 0) read.get(v, Selection.all(), Values.of(all));
          read.close();
        });
    for (int i = 0; i < length; i++) {
      int expected = i % stride != 0 ? 0 : i / stride < shift ? 10 : 11;
      if (all[i] != expected) assertThat(all[i]).as("element " + i).isEqualTo(expected);
    }
  }

  @Test
  void variablesBeyondFourGibibytes() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group);
          DimensionId x = file.defineDimension("x", 3L << 30);
          VariableId v = file.defineVariable("v", ElementType.SHORT, x);
          VariableId behind = file.defineVariable("behind", ElementType.INT);
          file.endDefine();
          long far = (3L << 30) - 1 - group.rank();
          file.putAll(v, Selection.at(far), Values.of(group.rank() + 1));
          file.put(behind, Selection.at(), Values.of(5));
          short[] two = new short[2];
          file.getAll(v, Selection.of(new long[] {(3L << 30) - 2}, new long[] {2}), Values.of(two));
          assertThat(two).containsExactly((short) 2, (short) 1);
          assertThat(file.header().variables().get(1).begin()).isGreaterThan(6L << 30);
          file.close();
        });
  }

  @Test
  void settingsComeFromTheEnvironment() throws NetcdfException {
    Hints hints =
        Hints.parse("cb_nodes=3; nc_header_align_size = 4KiB")
            .with(Map.of("PNETCDF_HINTS", "romio_ds_write=disable;cb_nodes=5"));
    assertThat(hints.direct().aggregators()).isEqualTo(5);
    assertThat(hints.headerAlignmentBytes()).isEqualTo(4096);
    expect(NetcdfError.BAD_HINT, () -> Hints.parse("cb_nodez=3"));
    expect(NetcdfError.BAD_HINT, () -> Hints.parse("cb_buffer_size=1").direct());
    expect(NetcdfError.BAD_HINT, () -> Hints.parse("cb_nodes=many").direct());
  }
}
