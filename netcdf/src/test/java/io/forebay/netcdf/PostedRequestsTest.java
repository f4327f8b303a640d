// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are posted, and waited for one by one, some or all together. */
@Timeout(60)
class PostedRequestsTest {
  private static final int RANKS = 3;
  private static final int LENGTH = 4;

  @TempDir Path folder;

  private NetcdfFile create(Group group, String driver) throws IOException {
    String name = driver + folder.resolve("file.nc");
    NetcdfFile file = NetcdfFile.create(group, name, Format.CDF5, CreateMode.REPLACE, Hints.none());
    DimensionId y = file.defineDimension("y", RANKS);
    DimensionId x = file.defineDimension("x", LENGTH);
    file.defineVariable("a", ElementType.INT, y, x);
    file.defineVariable("b", ElementType.INT, y, x);
    file.endDefine();
    return file;
  }

  private static Selection row(Group group) {
    return Selection.of(new long[] {group.rank(), 0}, new long[] {1, LENGTH});
  }

  private static Values row(int value) {
    int[] values = new int[LENGTH];
    Arrays.fill(values, value);
    return Values.of(values);
  }

  private static void expect(NetcdfError error, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(NetcdfException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct:", "log:"})
  void chosenOnesAreCarriedOutTogether(String driver) throws IOException {
    ThreadRanks.run(
        RANKS,
        group -> {
          NetcdfFile file = create(group, driver);
          VariableId a = file.variable("a");
          VariableId b = file.variable("b");
          Pending first = file.postPut(a, row(group), row(1 + group.rank()));
          Pending second = file.postPut(b, row(group), row(10));
          // A rank may have none.
          file.waitAll(group.rank() == 1 ? List.of() : List.of(first));
          file.sync();
          int[] seen = file.getAll(a, Selection.all()).toInts();
          assertThat(seen).containsExactly(1, 1, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3);
          assertThat(file.getAll(b, Selection.all()).toInts()).containsOnly(0);
          // What is done is not pending; all ranks hear of it.
          expect(NetcdfError.NOT_FOUND, () -> file.waitAll(List.of(new Pending(99), second)));
          file.waitAll(group.rank() == 1 ? List.of(second, first, second) : List.of(second));
          file.sync();
          assertThat(file.getAll(a, Selection.all()).toInts()[LENGTH]).isEqualTo(2);
          assertThat(file.getAll(b, Selection.all()).toInts()).containsOnly(10);
          file.close();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct:", "log:"})
  void bufferedWritesLeaveTheMemoryToTheProgram(String driver) throws IOException {
    ThreadRanks.run(
        RANKS,
        group -> {
          NetcdfFile file = create(group, driver);
          VariableId a = file.variable("a");
          expect(NetcdfError.BUFFER, () -> file.postBufferedPut(a, row(group), row(0)));
          file.attachBuffer(2L * LENGTH * Integer.BYTES);
          expect(NetcdfError.BUFFER, () -> file.attachBuffer(1));
          int[] values = new int[LENGTH];
          Arrays.fill(values, 5);
          file.postBufferedPut(a, row(group), Values.of(values));
          Arrays.fill(values, 6);
          Pending last = file.postBufferedPut(file.variable("b"), row(group), Values.of(values));
          Arrays.fill(values, 7);
          assertThat(file.bufferUsedBytes()).isEqualTo(file.bufferBytes());
          expect(NetcdfError.BUFFER, () -> file.postBufferedPut(a, row(group), Values.of(values)));
          expect(NetcdfError.BUFFER, file::detachBuffer);
          file.cancel(last);
          assertThat(file.bufferUsedBytes()).isEqualTo(file.bufferBytes() / 2);
          Pending again = file.postBufferedPut(file.variable("b"), row(group), Values.of(values));
          file.waitFor(List.of(again));
          file.waitAll();
          assertThat(file.bufferUsedBytes()).isZero();
          file.detachBuffer();
          file.sync();
          assertThat(file.getAll(a, Selection.all()).toInts()).containsOnly(5);
          assertThat(file.getAll(file.variable("b"), Selection.all()).toInts()).containsOnly(7);
          file.close();
        });
  }

  @Test
  void whatIsPendingIsForgottenWithTheFile() throws IOException {
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file = create(group, "direct:");
          VariableId a = file.variable("a");
          file.attachBuffer(1000);
          file.postBufferedPut(a, row(group), row(3));
          file.close();
          NetcdfFile again =
              NetcdfFile.open(
                  group, folder.resolve("file.nc").toString(), OpenMode.READ, Hints.none());
          assertThat(again.get(a, Selection.all()).toInts()).containsOnly(0);
          assertThat(again.get(a, Selection.at(0, 0)).toDoubles()).containsExactly(0.0);
          assertThat(again.get(a, Selection.none()).toLongs()).isEmpty();
          expect(NetcdfError.OUT_OF_BOUNDS, () -> again.get(a, Selection.at(99, 0)));
          again.close();
        });
  }
}
