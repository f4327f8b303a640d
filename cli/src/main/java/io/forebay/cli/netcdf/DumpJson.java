// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.Json;
import io.forebay.netcdf.cdl.CdlOptions;
import io.forebay.netcdf.cdl.CdlWriter;
import io.forebay.netcdf.content.Elements;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * A file as JSON: the header, and data as arrays of arrays. Rows of characters are strings without
 * the zeros at their end; values that JSON has no number for are strings, such as {@code "NaN"}.
 */
final class DumpJson {
  private final SharedFile file;
  private final Header header;
  private final OutputStream out;
  private final LongConsumer progress;
  private final StringBuilder pending = new StringBuilder();

  private DumpJson(SharedFile file, Header header, OutputStream out, LongConsumer progress) {
    this.file = file;
    this.header = header;
    this.out = out;
    this.progress = progress;
  }

  static void write(
      SharedFile file, Header header, CdlOptions options, OutputStream out, LongConsumer progress)
      throws IOException {
    new DumpJson(file, header, out, progress).write(options);
  }

  private void write(CdlOptions options) throws IOException {
    String head = Json.write(head(header, options.name()));
    pending.append(head, 0, head.length() - 1);
    if (options.data() != CdlOptions.Data.NONE) {
      pending.append(",\"data\":{");
      String separator = "";
      for (Variable variable : CdlWriter.withData(header, options)) {
        pending.append(separator).append(Json.write(variable.name())).append(':');
        data(variable);
        separator = ",";
      }
      pending.append('}');
    }
    pending.append("}\n");
    drain();
    out.flush();
  }

  /** Everything but data. */
  static Map<String, Object> head(Header header, String name) {
    List<Object> dimensions = new ArrayList<>();
    for (Dimension dimension : header.dimensions()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", dimension.name());
      one.put("length", dimension.isUnlimited() ? header.recordCount() : dimension.length());
      one.put("unlimited", dimension.isUnlimited());
      dimensions.add(one);
    }
    List<Object> variables = new ArrayList<>();
    for (Variable variable : header.variables()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", variable.name());
      one.put("type", variable.type().cdlName());
      one.put(
          "dimensions",
          variable.dimensions().stream().map(d -> header.dimensions().get(d).name()).toList());
      one.put("attributes", attributes(variable.attributes()));
      variables.add(one);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", name);
    all.put("format", "CDF-" + header.format().version());
    all.put("dimensions", dimensions);
    all.put("attributes", attributes(header.attributes()));
    all.put("variables", variables);
    return all;
  }

  private static List<Object> attributes(List<Attribute> attributes) {
    List<Object> all = new ArrayList<>();
    for (Attribute attribute : attributes) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", attribute.name());
      one.put("type", attribute.type().cdlName());
      if (attribute.type() == ElementType.CHAR) {
        one.put("text", attribute.text());
      } else {
        List<Object> values = new ArrayList<>();
        ByteBuffer bytes = attribute.values().asBuffer();
        while (bytes.hasRemaining()) values.add(value(bytes, attribute.type()));
        one.put("values", values);
      }
      all.add(one);
    }
    return all;
  }

  /** The next element: a number, or a string for values that are no JSON number. */
  static Object value(ByteBuffer bytes, ElementType type) {
    return switch (type) {
      case BYTE, CHAR -> (long) bytes.get();
      case UBYTE -> bytes.get() & 0xffL;
      case SHORT -> (long) bytes.getShort();
      case USHORT -> bytes.getShort() & 0xffffL;
      case INT -> (long) bytes.getInt();
      case UINT -> bytes.getInt() & 0xffff_ffffL;
      case INT64 -> bytes.getLong();
      case UINT64 -> new BigInteger(Long.toUnsignedString(bytes.getLong()));
      case FLOAT -> {
        float value = bytes.getFloat();
        yield Float.isFinite(value) ? (Object) value : Float.toString(value);
      }
      case DOUBLE -> {
        double value = bytes.getDouble();
        yield Double.isFinite(value) ? (Object) value : Double.toString(value);
      }
    };
  }

  private void data(Variable variable) throws IOException {
    Elements elements = new Elements(file, header, variable);
    Brackets brackets = new Brackets(variable);
    Row row = new Row();
    boolean text = variable.type() == ElementType.CHAR;
    if (elements.count() == 0) pending.append("[]");
    while (brackets.index < elements.count()) {
      ByteBuffer piece = elements.next();
      progress.accept(piece.remaining());
      while (piece.hasRemaining()) {
        if (text) {
          row.add(piece.get());
          brackets.next(row);
        } else {
          brackets.next(Json.write(value(piece, variable.type())));
        }
      }
      drain();
    }
  }

  /** The bytes of one row of characters; zeros are kept back until something follows. */
  private static final class Row {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long zeros;

    void add(byte b) {
      if (b == 0) {
        zeros++;
        return;
      }
      for (; zeros > 0; zeros--) bytes.write(0);
      bytes.write(b);
    }

    String take() {
      String text = bytes.toString(StandardCharsets.UTF_8);
      bytes.reset();
      zeros = 0;
      return text;
    }
  }

  /** Puts elements, or rows of characters, into arrays of arrays. */
  private final class Brackets {
    private final long[] sizes;
    private final int depth;
    private final long rowElements;
    private long index;

    Brackets(Variable variable) {
      int rank = variable.dimensions().size();
      boolean text = variable.type() == ElementType.CHAR;
      // How many elements one array of each depth holds.
      sizes = new long[rank];
      long size = 1;
      for (int d = rank - 1; d >= 0; d--) {
        size *= header.length(variable, d);
        sizes[d] = size;
      }
      depth = text ? Math.max(0, rank - 1) : rank;
      rowElements = text && rank > 0 ? sizes[rank - 1] : 1;
    }

    void next(Row row) {
      index++;
      if (index % rowElements != 0) return;
      index -= rowElements;
      open();
      pending.append(Json.write(row.take()));
      index += rowElements;
      close();
    }

    void next(String value) {
      open();
      pending.append(value);
      index++;
      close();
    }

    private void open() {
      int opened = 0;
      for (int d = depth - 1; d >= 0 && index % sizes[d] == 0; d--) opened++;
      if (index > 0 && depth > 0) pending.append(',');
      pending.repeat("[", opened);
    }

    private void close() {
      for (int d = depth - 1; d >= 0 && index % sizes[d] == 0; d--) pending.append(']');
    }
  }

  private void drain() throws IOException {
    out.write(pending.toString().getBytes(StandardCharsets.UTF_8));
    pending.setLength(0);
  }
}
