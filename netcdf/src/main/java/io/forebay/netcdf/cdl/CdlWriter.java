// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import io.forebay.netcdf.content.Elements;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Writes a file as CDL, the text form of netCDF, as ncdump writes it: the same bytes. Data is read
 * a piece at a time, so files may be of any size. One thread at a time.
 */
public final class CdlWriter {
  private static final String EXTENSION_SEPARATOR = ".";
  private static final Set<String> SECTIONS =
      Set.of("types", "dimensions", "variables", "data", "group");
  private static final int ROW_INDENT = 2;
  private static final String END = " ;";

  private final SharedFile file;
  private final Header header;
  private final CdlOptions options;
  private final LongConsumer progress;
  private final CdlOut out;

  private CdlWriter(
      SharedFile file, Header header, CdlOptions options, OutputStream out, LongConsumer progress) {
    this.file = file;
    this.header = header;
    this.options = options;
    this.progress = progress;
    this.out = new CdlOut(out, options.lineChars());
  }

  /**
   * Writes a file.
   *
   * @param progress gets, after each piece, the number of bytes of data written as text
   */
  public static void write(
      SharedFile file, Header header, CdlOptions options, OutputStream out, LongConsumer progress)
      throws IOException {
    CdlWriter writer = new CdlWriter(file, header, options, out, progress);
    writer.header();
    if (options.data() != CdlOptions.Data.NONE) writer.data();
    writer.out.print("}\n");
    writer.out.flush();
  }

  /** The file's name in the text: without folders and extension. */
  public static String nameOf(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf(EXTENSION_SEPARATOR);
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** The variables whose data is written, in order. */
  public static List<Variable> withData(Header header, CdlOptions options) {
    return header.variables().stream()
        .filter(variable -> isWritten(header, variable, options))
        .toList();
  }

  private static boolean isWritten(Header header, Variable variable, CdlOptions options) {
    boolean named = options.variables().contains(variable.name());
    return switch (options.data()) {
      case NONE -> false;
      case ALL -> options.variables().isEmpty() || named;
      case COORDINATES ->
          (options.variables().isEmpty() || named)
              && variable.dimensions().size() == 1
              && header.dimensionNamed(variable.name()) >= 0;
    };
  }

  private void header() throws IOException {
    out.print("netcdf " + CdlText.name(options.name()) + " {\n");
    if (!header.dimensions().isEmpty()) out.print("dimensions:\n");
    for (Dimension dimension : header.dimensions()) {
      out.print("\t" + CdlText.name(dimension.name()) + " = ");
      if (!dimension.isUnlimited()) out.print(dimension.length() + " ;\n");
      else out.print("UNLIMITED ; // (" + header.recordCount() + " currently)\n");
    }
    if (!header.variables().isEmpty()) out.print("variables:\n");
    for (Variable variable : header.variables()) {
      String name = CdlText.name(variable.name());
      out.print("\t" + variable.type().cdlName() + " " + name + shape(variable) + " ;\n");
      // A word of CDL and a colon would begin a section.
      String owner = SECTIONS.contains(variable.name()) ? name + " " : name;
      for (Attribute attribute : variable.attributes()) attribute(owner, attribute);
    }
    if (!header.attributes().isEmpty()) out.print("\n// global attributes:\n");
    for (Attribute attribute : header.attributes()) attribute("", attribute);
  }

  private String shape(Variable variable) {
    if (variable.dimensions().isEmpty()) return "";
    List<String> names =
        variable.dimensions().stream()
            .map(number -> CdlText.name(header.dimensions().get(number).name()))
            .toList();
    return "(" + String.join(", ", names) + ")";
  }

  private void attribute(String owner, Attribute attribute) throws IOException {
    out.print("\t\t" + owner + ":" + CdlText.name(attribute.name()) + " = ");
    byte[] bytes = attribute.values().toArray();
    if (attribute.type() == ElementType.CHAR || bytes.length == 0) {
      int length = bytes.length;
      while (length > 0 && bytes[length - 1] == 0) length--;
      out.print("\"");
      for (int i = 0; i < length; i++) CdlText.attributeByte(bytes[i], out);
      out.print("\"");
    } else {
      ByteBuffer values = ByteBuffer.wrap(bytes);
      while (values.hasRemaining()) {
        out.print(ElementText.attribute(values, attribute.type(), options.precision()));
        if (values.hasRemaining()) out.print(", ");
      }
    }
    out.print(" ;\n");
  }

  private void data() throws IOException {
    if (!header.variables().isEmpty()) out.print("data:\n");
    for (Variable variable : withData(header, options)) {
      Elements elements = new Elements(file, header, variable);
      if (elements.count() == 0) continue;
      int rank = variable.dimensions().size();
      out.print("\n " + CdlText.name(variable.name()) + (rank <= 1 ? " = " : " =\n  "));
      out.column(rank <= 1 ? CdlText.bytes(variable.name()) + " = ".length() + 1 : ROW_INDENT);
      long row = rank == 0 ? 1 : header.length(variable, rank - 1);
      if (variable.type() == ElementType.CHAR) characters(elements, row);
      else numbers(elements, row, new ElementText(variable, options.precision()));
      out.print(END + "\n");
    }
  }

  private void numbers(Elements elements, long row, ElementText text) throws IOException {
    long left = elements.count();
    long inRow = row;
    while (left > 0) {
      ByteBuffer piece = elements.next();
      progress.accept(piece.remaining());
      while (piece.hasRemaining()) {
        String value = text.next(piece);
        left--;
        inRow--;
        if (inRow > 0) {
          out.value(value + ", ");
        } else if (left > 0) {
          out.value(value);
          out.print(",");
          nextRow();
          inRow = row;
        } else {
          out.value(value);
        }
      }
    }
  }

  private void nextRow() throws IOException {
    out.print("\n  ");
    out.column(ROW_INDENT);
  }

  /** Each row is a text, without the zeros at its end; a row need not fit into memory. */
  private void characters(Elements elements, long row) throws IOException {
    long left = elements.count();
    long inRow = row;
    long zeros = 0;
    out.print("\"");
    while (left > 0) {
      ByteBuffer piece = elements.next();
      progress.accept(piece.remaining());
      while (piece.hasRemaining()) {
        byte b = piece.get();
        left--;
        inRow--;
        if (b == 0) {
          zeros++;
        } else {
          for (; zeros > 0; zeros--) out.print(CdlText.octal(0));
          CdlText.dataByte(b, out);
        }
        if (inRow == 0 && left > 0) {
          out.print("\",");
          nextRow();
          out.print("\"");
          inRow = row;
          zeros = 0;
        }
      }
    }
    out.print("\"");
  }
}
