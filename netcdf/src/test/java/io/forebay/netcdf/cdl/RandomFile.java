// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import io.forebay.base.Bytes;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small file with all that a format has: names, types, shapes and values that are at the edge.
 */
public final class RandomFile {
  private static final List<ElementType> TYPES = List.of(ElementType.values());
  private static final String NAME_CHARS =
      "abcXYZ019_.+-@ !\"#$%&'()*,:;<=>?[]\\^`{|}~\u00e9\u4e2d\ud83d\ude00";
  private static final String TEXT_CHARS = "abc XYZ\n\t\r\b\f\u000b\\\"'%\u0001\u007f\0\0";

  private static final String SIMPLE_NAME_CHARS = "abcXYZ019_ ()\u00e9";

  /** What a file may hold. */
  public enum Kind {
    /** Whatever the format allows. */
    ANY,
    /** What ncgen understands in its own tools' text, and brings back as it was. */
    REVERSIBLE
  }

  private final Random random;
  private final Format format;
  private final Kind kind;
  private int named;

  private RandomFile(Random random, Format format, Kind kind) {
    this.random = random;
    this.format = format;
    this.kind = kind;
  }

  /** Writes a file and returns what its header says. */
  public static Header write(Path path, Format format, Kind kind, Random random)
      throws IOException {
    RandomFile file = new RandomFile(random, format, kind);
    Header header = Layout.place(file.header(), 4);
    Layout layout = Layout.of(header);
    byte[] bytes = new byte[(int) layout.fileBytes(header.recordCount())];
    ByteBuffer all = ByteBuffer.wrap(bytes);
    all.put(HeaderWriter.write(header));
    for (Variable variable : header.variables()) {
      long parts = header.isRecord(variable) ? header.recordCount() : 1;
      for (long part = 0; part < parts; part++) {
        all.position((int) layout.offset(variable, part));
        file.values(all, variable, (int) header.elements(variable));
        if (kind == Kind.REVERSIBLE) pad(all, variable, layout);
      }
    }
    Files.write(path, bytes);
    return header;
  }

  /** As netCDF-C does it, with fill values. */
  private static void pad(ByteBuffer all, Variable variable, Layout layout) {
    boolean single = layout.recordBytes() % 4 != 0 && layout.header().isRecord(variable);
    Attribute fill = variable.attribute(Attribute.FILL_VALUE);
    ElementType type = variable.type();
    while (all.position() % 4 != 0 && !single) {
      if (fill != null) all.put(fill.values().toArray());
      else if (type.sizeBytes() == 1) all.put((byte) type.fillInteger());
      else all.putShort((short) type.fillInteger());
    }
  }

  private Header header() {
    List<Dimension> dimensions = new ArrayList<>();
    int count = random.nextInt(6);
    int unlimited = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      boolean wide = random.nextInt(4) == 0;
      long length = i == unlimited ? 0 : 1 + random.nextInt(wide ? 60 : 4);
      dimensions.add(new Dimension(name(), length));
    }
    long records = unlimited < count ? random.nextInt(4) : 0;
    List<Variable> variables = new ArrayList<>();
    // A file without data gets some from ncgen all the same.
    int variableCount = (kind == Kind.REVERSIBLE ? 1 : 0) + random.nextInt(8);
    for (int i = 0; i < variableCount; i++) variables.add(variable(dimensions));
    Header header = new Header(format, records, dimensions, attributes(), variables);
    // Records that no variable has are not in the text.
    boolean any = variables.stream().anyMatch(header::isRecord);
    return any || kind == Kind.ANY ? header : header.withRecordCount(0);
  }

  private Variable variable(List<Dimension> dimensions) {
    List<Integer> shape = new ArrayList<>();
    int rank = dimensions.isEmpty() ? 0 : random.nextInt(4);
    for (int d = 0; d < rank; d++) {
      int number = random.nextInt(dimensions.size());
      if (d == 0 || !dimensions.get(number).isUnlimited()) shape.add(number);
    }
    ElementType type = type();
    List<Attribute> attributes = new ArrayList<>(attributes());
    if (random.nextInt(3) == 0) {
      attributes.add(attribute(Attribute.FILL_VALUE, type, 1));
    }
    String name = name();
    if (!dimensions.isEmpty() && random.nextInt(4) == 0) {
      int like = random.nextInt(dimensions.size());
      // Names of variables are compared with one another elsewhere; this one is new, too.
      if (named > 0) name = dimensions.get(like).name() + named++;
    }
    return new Variable(name, type, shape, attributes, Variable.NOWHERE);
  }

  private List<Attribute> attributes() {
    List<Attribute> attributes = new ArrayList<>();
    // The text does not tell which type an attribute without elements has.
    int least = kind == Kind.REVERSIBLE ? 1 : 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      attributes.add(attribute(name(), type(), least + random.nextInt(5)));
    }
    return attributes;
  }

  private Attribute attribute(String name, ElementType type, int count) {
    ByteBuffer values = ByteBuffer.allocate(count * type.sizeBytes());
    for (int i = 0; i < count; i++) value(values, type);
    return new Attribute(name, type, Bytes.copyOf(values.array()));
  }

  private ElementType type() {
    while (true) {
      ElementType type = TYPES.get(random.nextInt(TYPES.size()));
      // Version 4.9.0 of ncgen makes int of int64.
      boolean reversible = type != ElementType.INT64 || kind != Kind.REVERSIBLE;
      if (type.existsIn(format) && reversible) return type;
    }
  }

  private String name() {
    StringBuilder name = new StringBuilder("aZ_7".substring(random.nextInt(4)).substring(0, 1));
    String possible = kind == Kind.REVERSIBLE ? SIMPLE_NAME_CHARS : NAME_CHARS;
    int[] chars = possible.codePoints().toArray();
    for (int i = random.nextInt(12); i > 0; i--) {
      name.appendCodePoint(chars[random.nextInt(chars.length)]);
    }
    return name.append(named++).toString();
  }

  private void values(ByteBuffer target, Variable variable, int count) {
    Attribute fill = variable.attribute(Attribute.FILL_VALUE);
    for (int i = 0; i < count; i++) {
      if (fill != null && random.nextInt(4) == 0) target.put(fill.values().toArray());
      else value(target, variable.type());
    }
  }

  private void value(ByteBuffer target, ElementType type) {
    switch (type) {
      case CHAR -> {
        int c = TEXT_CHARS.charAt(random.nextInt(TEXT_CHARS.length()));
        if (kind == Kind.REVERSIBLE) target.put((byte) ('a' + random.nextInt(26)));
        else target.put((byte) (random.nextInt(20) == 0 ? random.nextInt(256) : c));
      }
      case BYTE, UBYTE -> target.put((byte) random.nextInt());
      case SHORT, USHORT -> target.putShort((short) integer(type));
      case INT, UINT -> target.putInt((int) integer(type));
      case INT64, UINT64 -> target.putLong(integer(type));
      case FLOAT -> target.putFloat((float) fraction(type));
      case DOUBLE -> target.putDouble(fraction(type));
    }
  }

  private long integer(ElementType type) {
    return switch (random.nextInt(4)) {
      case 0 -> type.fillInteger();
      case 1 -> random.nextInt(100);
      case 2 -> -1;
      default -> random.nextLong();
    };
  }

  private double fraction(ElementType type) {
    double value =
        switch (random.nextInt(10)) {
          case 0 -> type.fillFraction();
          case 1 -> Double.NaN;
          case 2 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
          case 3 -> random.nextInt(2000) / 8.0 - 100;
          case 4 -> random.nextBoolean() ? 0 : -0.0;
          case 5 -> random.nextInt(1_000_000) / 1000.0;
          case 6 -> Float.intBitsToFloat(random.nextInt());
          case 7 -> (random.nextInt(20_000_000) + 0.5) * Math.pow(10, random.nextInt(40) - 20);
          default -> Double.longBitsToDouble(random.nextLong());
        };
    double kept = type == ElementType.FLOAT ? (float) value : value;
    // There is one NaN in the text; ncgen takes -0 for a whole number, and refuses long ones.
    boolean longInteger = Math.rint(kept) == kept && Math.abs(kept) >= 1L << 31;
    boolean reversible =
        !Double.isNaN(kept)
            && (kept != 0 || 1 / kept > 0)
            && (!longInteger || Math.abs(kept) > 1e30);
    return reversible || kind == Kind.ANY ? kept : Double.NaN;
  }
}
