// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Samples;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CurveTableTest {
  private static List<Result> curves() {
    List<Result> results = new ArrayList<>();
    results.add(result("drain", 7));
    for (String transport : List.of("unix", "tcp")) {
      for (int bytes : List.of(64, 67, 65536, 16 << 20, (16 << 20) + 3)) {
        for (int streams : List.of(1, 64)) {
          for (boolean out : List.of(true, false)) {
            results.add(
                result(new CurvePoint(transport, bytes, streams, out).name(), bytes / 1000.0));
          }
        }
      }
    }
    return results;
  }

  private static Result result(String name, double value) {
    return Result.of(name, Rate.MIB_PER_SECOND, Result.Better.HIGHER, Samples.of(value));
  }

  @Test
  void aLineForEachLengthOfMessage() {
    List<String> lines = CurveTable.lines(curves());
    assertThat(lines).allMatch(line -> line.length() <= 100);
    assertThat(lines.get(3)).startsWith("message").contains("out", "in");
    assertThat(lines.get(4)).startsWith("64B").contains(" 0.1");
    assertThat(lines.get(5)).startsWith("67B");
    assertThat(lines.getLast()).startsWith("16777219B").endsWith("█".repeat(12));
    assertThat(CurveTable.lines(List.of(result("drain", 7)))).isEmpty();
  }

  @Test
  void aPointIsKnownByTheNameOfItsResult() {
    CurvePoint point = new CurvePoint("tcp", 65539, 4, false);
    assertThat(CurvePoint.of(result(point.name(), 1))).isEqualTo(point);
    assertThat(CurvePoint.of(result("network, tcp: out x4", 1))).isNull();
  }

  @Test
  void thePlotIsAPictureWithALineForEachCurve() throws Exception {
    String svg = CurvePlot.svg(curves());
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new java.io.StringReader(svg)))
                .getElementsByTagName("polyline")
                .getLength())
        .isEqualTo(8);
    assertThat(svg).contains("tcp, 64 streams, in", "16KiB").doesNotContain("NaN", "Infinity");
  }
}
