// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A file with all types, shapes and kinds of attributes. Element {@code i} of a variable is {@code
 * i % 100 + code of its type}; {@link #PYTHON} writes the same file with Python's netCDF4.
 */
final class Sample {
  static final long RECORDS = 3;

  private static final long ROWS = 40;
  private static final long COLUMNS = 50;

  static final String PYTHON =
      """
      import netCDF4, numpy, sys
      out = netCDF4.Dataset(sys.argv[1], "w", format="NETCDF4")
      out.set_fill_off()
      out.createDimension("time", 3)
      out.createDimension("höhe", 40)
      out.createDimension("x", 50)
      out.setncattr("title", "Größe".encode())
      out.setncattr("none", "")
      out.setncattr("no numbers", numpy.array([], "i4"))
      codes = {"i1": 1, "S1": 2, "i2": 3, "i4": 4, "f4": 5, "f8": 6,
               "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11}
      def values(type, shape):
          count = int(numpy.prod(shape, dtype="i8"))
          numbers = (numpy.arange(count) % 100 + codes[type]).reshape(shape)
          return numbers.astype("u1").view("S1") if type == "S1" else numbers.astype(type)
      def variable(name, type, dimensions, attributes=()):
          made = out.createVariable(name, type, dimensions, contiguous=True)
          made.set_auto_maskandscale(False)
          for key, value in attributes:
              made.setncattr(key, value)
          if type == "S1":
              made.set_auto_chartostring(False)
          shape = [len(out.dimensions[d]) for d in dimensions]
          made[...] = values(type, shape)
      for type, code in codes.items():
          variable("scalar%d" % code, type, ())
          variable("plane%d" % code, type, ("höhe", "x"))
          variable("cube%d" % code, type, ("time", "höhe", "x"))
      variable("x", "f4", ("x",), [("units", "m")])
      variable("höhe", "f8", ("x", "höhe"), [("kürzel", "ä".encode())])
      variable("time", "i4", ())
      variable("annotated", "f8", ("x",), [
          ("bytes", numpy.array([-1, 2], "i1")), ("shorts", numpy.array([-300], "i2")),
          ("ints", numpy.array([7, -70000], "i4")), ("floats", numpy.array([0.5], "f4")),
          ("doubles", numpy.array([1e300, -0.25], "f8")), ("longs", numpy.array([1 << 40], "i8")),
          ("ubytes", numpy.array([255], "u1")), ("ushorts", numpy.array([65535], "u2")),
          ("uints", numpy.array([4294967295], "u4")),
          ("ulongs", numpy.array([18446744073709551615], "u8")), ("text", "a b")])
      out.close()
      """;

  private Sample() {}

  static Header header() {
    List<Dimension> dimensions =
        List.of(
            new Dimension("time", Dimension.UNLIMITED),
            new Dimension("höhe", ROWS),
            new Dimension("x", COLUMNS));
    List<Attribute> attributes =
        List.of(
            Attribute.text("title", "Größe"),
            Attribute.text("none", ""),
            Attribute.ofInts("no numbers"));
    List<Variable> variables = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      variables.add(variable("scalar" + type.code(), type, List.of()));
      variables.add(variable("plane" + type.code(), type, List.of(1, 2)));
      variables.add(variable("cube" + type.code(), type, List.of(0, 1, 2)));
    }
    variables.add(variable("x", ElementType.FLOAT, List.of(2), Attribute.text("units", "m")));
    // Named like a dimension, but not its coordinates: HDF5 has these under other names.
    variables.add(
        variable("höhe", ElementType.DOUBLE, List.of(2, 1), Attribute.text("kürzel", "ä")));
    variables.add(variable("time", ElementType.INT, List.of()));
    variables.add(variable("annotated", ElementType.DOUBLE, List.of(2), annotations()));
    return new Header(Format.CDF5, RECORDS, dimensions, attributes, variables);
  }

  private static Attribute[] annotations() {
    return new Attribute[] {
      Attribute.ofBytes("bytes", (byte) -1, (byte) 2),
      Attribute.ofShorts("shorts", (short) -300),
      Attribute.ofInts("ints", 7, -70_000),
      Attribute.ofFloats("floats", 0.5f),
      Attribute.ofDoubles("doubles", 1e300, -0.25),
      Attribute.ofLongs("longs", 1L << 40),
      Attribute.ofBytes("ubytes", (byte) -1).unsigned(),
      Attribute.ofShorts("ushorts", (short) -1).unsigned(),
      Attribute.ofInts("uints", -1).unsigned(),
      Attribute.ofLongs("ulongs", -1).unsigned(),
      Attribute.text("text", "a b")
    };
  }

  static Variable variable(
      String name, ElementType type, List<Integer> dimensions, Attribute... attributes) {
    return new Variable(name, type, dimensions, List.of(attributes), Variable.NOWHERE);
  }

  /** The lengths of a variable's dimensions. */
  static long[] shape(Header header, Variable variable) {
    long[] lengths = new long[variable.dimensions().size()];
    for (int i = 0; i < lengths.length; i++) lengths[i] = header.length(variable, i);
    return lengths;
  }

  static long elements(Header header, Variable variable) {
    long elements = 1;
    for (long length : shape(header, variable)) elements *= length;
    return elements;
  }

  /** Some consecutive elements of a variable, in native order. */
  static MemorySegment bytes(Arena arena, ElementType type, long first, long count) {
    MemorySegment bytes = arena.allocate(count * type.sizeBytes(), type.sizeBytes());
    ByteBuffer out = bytes.asByteBuffer().order(ByteOrder.nativeOrder());
    for (long i = first; i < first + count; i++) {
      long value = i % 100 + type.code();
      switch (type) {
        case FLOAT -> out.putFloat((float) value);
        case DOUBLE -> out.putDouble((double) value);
        case BYTE, UBYTE, CHAR -> out.put((byte) value);
        case SHORT, USHORT -> out.putShort((short) value);
        case INT, UINT -> out.putInt((int) value);
        case INT64, UINT64 -> out.putLong(value);
      }
    }
    return bytes;
  }
}
