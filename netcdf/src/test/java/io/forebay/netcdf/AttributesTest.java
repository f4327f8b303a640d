// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes of all types, and what can be done with them; new names of dimensions. */
class AttributesTest {
  @TempDir Path folder;

  private NetcdfFile create(Group group, String name, Format format) throws IOException {
    String path = folder.resolve(name).toString();
    return NetcdfFile.create(group, path, format, CreateMode.REPLACE, Hints.none());
  }

  private static void expect(NetcdfError error, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(NetcdfException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void typesAndTheirNumbers() throws IOException {
    assertThat(Attribute.ofBytes("a", (byte) -1).ints()).containsExactly(-1);
    assertThat(Attribute.ofBytes("a", (byte) -1).unsigned().ints()).containsExactly(255);
    assertThat(Attribute.ofShorts("a", (short) -2, (short) 3).longs()).containsExactly(-2, 3);
    assertThat(Attribute.ofShorts("a", (short) -2).unsigned().number()).isEqualTo(65_534);
    assertThat(Attribute.ofInts("a", -1).unsigned().integer()).isEqualTo(4_294_967_295L);
    assertThat(Attribute.ofLongs("a", Long.MIN_VALUE).longs()).containsExactly(Long.MIN_VALUE);
    assertThat(Attribute.ofLongs("a", -1).unsigned().doubles()).containsExactly(0x1p64);
    assertThat(Attribute.ofFloats("a", 1.5f, -2).doubles()).containsExactly(1.5, -2);
    assertThat(Attribute.ofDoubles("a", 2.9, -2.9).ints()).containsExactly(2, -2);
    assertThat(Attribute.ofDoubles("a", 0.1).floats()).containsExactly(0.1f);
    expect(NetcdfError.OUT_OF_RANGE, () -> Attribute.ofInts("a", -1).unsigned().ints());
    expect(NetcdfError.OUT_OF_RANGE, () -> Attribute.ofLongs("a", -1).unsigned().longs());
    expect(NetcdfError.OUT_OF_RANGE, () -> Attribute.ofDoubles("a", 0x1p63).longs());
    expect(NetcdfError.OUT_OF_RANGE, () -> Attribute.ofDoubles("a", Double.NaN).ints());
    expect(NetcdfError.OUT_OF_RANGE, () -> Attribute.ofDoubles("a", 1e300).floats());
    expect(NetcdfError.TEXT_AND_NUMBERS, () -> Attribute.text("a", "5").ints());
    expect(NetcdfError.WRONG_LENGTH, () -> Attribute.ofInts("a", 1, 2).integer());
  }

  @Test
  void theyAreFoundCopiedAndRenamed() throws IOException {
    try (Group alone = Ranks.alone()) {
      NetcdfFile source = create(alone, "source.nc", Format.CDF5);
      VariableId v = source.defineVariable("v", ElementType.INT);
      source.putAttribute(Attribute.text("title", "t"));
      source.putAttribute(v, Attribute.ofFloats("range", 0, 1));
      source.putAttribute(v, Attribute.ofLongs("count", 5));
      source.endDefine();
      NetcdfFile target = create(alone, "target.nc", Format.CDF5);
      DimensionId x = target.defineDimension("x", 2);
      target.defineDimension("y", 3);
      VariableId w = target.defineVariable("w", ElementType.INT, x);
      target.copyAttributes(source);
      target.copyAttributes(source, v, w);
      target.putAttribute(w, source.attribute("title"));
      target.renameAttribute("title", "name");
      target.renameAttribute(w, "range", "valid_range");
      target.renameDimension(x, "lon");
      expect(NetcdfError.NAME_IN_USE, () -> target.renameDimension(x, "y"));
      expect(NetcdfError.NAME_IN_USE, () -> target.renameAttribute(w, "valid_range", "count"));
      expect(NetcdfError.NOT_FOUND, () -> target.renameAttribute("title", "other"));
      expect(NetcdfError.BAD_NAME, () -> target.renameAttribute("name", "a/b"));
      // Two numbers cannot be the fill value of a variable.
      expect(NetcdfError.BAD_TYPE, () -> target.renameAttribute(w, "valid_range", "_FillValue"));
      target.close();
      expect(NetcdfError.WRONG_MODE, () -> target.renameDimension(x, "z"));
      source.close();
      String path = folder.resolve("target.nc").toString();
      NetcdfFile read = NetcdfFile.open(alone, path, OpenMode.READ, Hints.none());
      assertThat(read.attribute("name").text()).isEqualTo("t");
      assertThat(read.attribute(w, "title").text()).isEqualTo("t");
      assertThat(read.attribute(w, "count").integer()).isEqualTo(5);
      assertThat(read.variable(w).attributes())
          .extracting(Attribute::name)
          .containsExactly("valid_range", "count", "title");
      assertThat(read.header().dimensions()).first().isEqualTo(new Dimension("lon", 2));
      expect(NetcdfError.NOT_FOUND, () -> read.attribute("title"));
      expect(NetcdfError.NOT_FOUND, () -> read.attribute(w, "range"));
      read.close();
    }
  }

  @Test
  void typesThatAFormatLacksAreNotCopied() throws IOException {
    try (Group alone = Ranks.alone()) {
      NetcdfFile source = create(alone, "source.nc", Format.CDF5);
      source.putAttribute(Attribute.ofInts("a", 1).unsigned());
      source.endDefine();
      NetcdfFile target = create(alone, "target.nc", Format.CDF1);
      expect(NetcdfError.BAD_TYPE, () -> target.copyAttributes(source));
      target.close();
      source.close();
    }
  }
}
