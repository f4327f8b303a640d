// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesTest {
  private static List<String> found(String... names) {
    return Series.of(Arrays.asList(names)).stream().map(SeriesTest::text).toList();
  }

  private static String text(Series.Checkpoint each) {
    return each.series() + " " + each.number() + " " + String.join(",", each.names());
  }

  private static List<String> described(String pattern, String... names) {
    return Series.of(Arrays.asList(names), List.of(SeriesPattern.parse(pattern))).stream()
        .map(SeriesTest::text)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "ckpt-0012.h5, ckpt-*, 12",
    "step_100, step_*, 100",
    "global_step100, global_step*, 100",
    "plt00010, plt*, 10",
    "chk-7, chk-*, 7",
    "checkpoint-500, checkpoint-*, 500",
    "epoch=3-step=1000.ckpt, epoch=*-step=#*, 1000",
    "epoch_12.pt, epoch_*, 12",
    "run3_ckpt_0012.h5, run3_ckpt_*, 12",
    "rank-0003.ckpt-0012.h5, rank-*.ckpt-#*, 12",
    "model_v2_00100.bin, model_v2_*, 100",
    "100, *, 100",
    "20261116150000.dat, *, 20261116150000",
    "a#b*7, a\\#b\\**, 7",
  })
  void aNameTellsItsSeriesAndItsNumber(String name, String series, long number) {
    assertThat(found(name)).containsExactly(series + " " + number + " " + name);
    OptionalLong again = SeriesPattern.parse(series).numberOf(name);
    assertThat(again).as("what is shown can be given").hasValue(number);
  }

  @ParameterizedTest
  @CsvSource({
    "README",
    "input.h5",
    "a.nc4",
    ".ckpt-12",
    "ckpt-12.tmp",
    "ckpt-12~",
    "ckpt-12.h5.partial",
    "fd72014d4c864993a2e5a9287b4a9c5d",
    "ckpt-1234567890123456789012",
    "rank-0003",
    "''",
  })
  void otherNamesAreNone(String name) {
    assertThat(found(name)).isEmpty();
  }

  @Test
  void filesOfTheSameNumberAreOneCheckpoint() {
    assertThat(
            found(
                "model.ckpt-1000.data-00001-of-00002",
                "model.ckpt-1000.index",
                "model.ckpt-1000.data-00000-of-00002",
                "model.ckpt-900.index",
                "checkpoint"))
        .containsExactly(
            "model.ckpt-* 900 model.ckpt-900.index",
            "model.ckpt-* 1000 model.ckpt-1000.data-00000-of-00002,"
                + "model.ckpt-1000.data-00001-of-00002,model.ckpt-1000.index");
    assertThat(found("ckpt-0012.rank-0.h5", "ckpt-0012.rank-1.h5", "ckpt-0013.rank-0.h5"))
        .containsExactly(
            "ckpt-* 12 ckpt-0012.rank-0.h5,ckpt-0012.rank-1.h5", "ckpt-* 13 ckpt-0013.rank-0.h5");
    assertThat(found("rank-0.ckpt-12", "rank-1.ckpt-12", "rank-0.ckpt-13"))
        .containsExactly(
            "rank-*.ckpt-#* 12 rank-0.ckpt-12,rank-1.ckpt-12", "rank-*.ckpt-#* 13 rank-0.ckpt-13");
  }

  @Test
  void theNumberInWhichNamesDifferCounts() {
    assertThat(found("run3_0012", "run3_0013", "run4_x"))
        .as("both vary, the first counts")
        .containsExactly("run* 3 run3_0012,run3_0013", "run* 4 run4_x");
    assertThat(found("v2_out_0012.nc", "v2_out_0013.nc"))
        .containsExactly("v2_out_* 12 v2_out_0012.nc", "v2_out_* 13 v2_out_0013.nc");
    assertThat(found("out.0001.0000", "out.0001.0001", "out.0002.0000"))
        .containsExactly("out.* 1 out.0001.0000,out.0001.0001", "out.* 2 out.0002.0000");
  }

  @Test
  void numbersGoByValueAndSeriesByName() {
    assertThat(found("b9", "b10", "a1", "b0010.x"))
        .containsExactly("a* 1 a1", "b* 9 b9", "b* 10 b0010.x,b10");
  }

  @Test
  void whetherANameSaysSoIsTold() {
    assertThat(Series.of(List.of("ckpt-1", "mesh2")))
        .extracting(Series.Checkpoint::likely)
        .containsExactly(true, false);
  }

  @Test
  void aPatternSaysWhatBelongs() {
    assertThat(described("ckpt-*.nc", "ckpt-1.nc", "ckpt-1.log", "ckpt-x.nc", "ckpt-2.nc.tmp"))
        .containsExactly("ckpt-*.nc 1 ckpt-1.nc");
    assertThat(described("rank-*.ckpt-#", "rank-3.ckpt-12", "rank-4.ckpt-12"))
        .containsExactly("rank-*.ckpt-# 12 rank-3.ckpt-12,rank-4.ckpt-12");
    assertThat(described("*", "a17b3", "x")).containsExactly("* 17 a17b3");
    assertThat(described("t?-*", "tA-5", "tAB-5")).containsExactly("t?-* 5 tA-5");
    assertThat(described("*#", "a0012")).containsExactly("*# 12 a0012");
    assertThat(SeriesPattern.parse("/run/a/ckpt-*").isIn("/run/a")).isTrue();
    assertThat(SeriesPattern.parse("/run/a/ckpt-*").isIn("/run")).isFalse();
    assertThat(SeriesPattern.parse("/ckpt-*").isIn("")).isTrue();
    assertThat(SeriesPattern.parse("ckpt-*").isIn("/anywhere")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', stands for the number",
    "ckpt, stands for the number",
    "#-#, two numbers",
    "run/ckpt-*, begins with a slash",
    "*****, 4 stars",
    "'ckpt*\\', backslash",
  })
  void whatDescribesNoSeriesIsRefused(String pattern, String why) {
    assertThatThrownBy(() -> SeriesPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + pattern + "'")
        .hasMessageContaining(why);
  }
}
