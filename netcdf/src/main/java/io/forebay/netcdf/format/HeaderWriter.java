// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The bytes of a header.
 *
 * <pre>
 *   header  = 'C' 'D' 'F' version, records, dimensions, attributes, variables
 *   list    = tag, count, entries; both zero if there are none
 *   dimension = name, length
 *   attribute = name, type, count, values padded to four bytes
 *   variable  = name, count and numbers of dimensions, attributes, type, size, offset
 * </pre>
 *
 * Numbers are big-endian; counts and lengths have eight bytes in CDF-5 and four before, offsets
 * four in CDF-1 and eight afterwards.
 */
public final class HeaderWriter {
  static final int DIMENSION_TAG = 10;
  static final int VARIABLE_TAG = 11;
  static final int ATTRIBUTE_TAG = 12;

  /** Where the number of records is, behind the magic number. */
  public static final int RECORD_COUNT_OFFSET = Integer.BYTES;

  /**
   * The placeholder for a size that does not fit four bytes; readers compute the size themselves.
   */
  private static final long SIZE_UNKNOWN = 0xffff_ffffL;

  private final Format format;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private HeaderWriter(Format format) {
    this.format = format;
  }

  /** The header as bytes. */
  public static byte[] write(Header header) {
    HeaderWriter writer = new HeaderWriter(header.format());
    writer.header(header);
    return writer.out.toByteArray();
  }

  /** How many bytes the header takes. */
  public static long length(Header header) {
    return write(header).length;
  }

  /** The number of records as it stands in the header. */
  public static byte[] recordCount(Format format, long count) {
    HeaderWriter writer = new HeaderWriter(format);
    writer.count(count);
    return writer.out.toByteArray();
  }

  private void header(Header header) {
    out.writeBytes(new byte[] {'C', 'D', 'F', (byte) format.version()});
    count(header.recordCount());
    list(DIMENSION_TAG, header.dimensions().size());
    for (Dimension dimension : header.dimensions()) {
      name(dimension.name());
      count(dimension.length());
    }
    attributes(header.attributes());
    list(VARIABLE_TAG, header.variables().size());
    for (Variable variable : header.variables()) variable(header, variable);
  }

  private void variable(Header header, Variable variable) {
    name(variable.name());
    count(variable.dimensions().size());
    for (int dimension : variable.dimensions()) count(dimension);
    attributes(variable.attributes());
    integer(variable.type().code());
    long size = Layout.aligned(header.dataBytes(variable), Layout.ALIGNMENT_BYTES);
    boolean fits = format.countBytes() == Long.BYTES || size <= Format.CDF2.variableBytesMax();
    count(fits ? size : SIZE_UNKNOWN);
    if (format.offsetBytes() == Long.BYTES) wide(Math.max(0, variable.begin()));
    else integer((int) Math.max(0, variable.begin()));
  }

  private void attributes(List<Attribute> attributes) {
    list(ATTRIBUTE_TAG, attributes.size());
    for (Attribute attribute : attributes) {
      name(attribute.name());
      integer(attribute.type().code());
      count(attribute.count());
      padded(attribute.values().toArray());
    }
  }

  private void list(int tag, int entries) {
    integer(entries == 0 ? 0 : tag);
    count(entries);
  }

  private void name(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    count(bytes.length);
    padded(bytes);
  }

  private void padded(byte[] bytes) {
    out.writeBytes(bytes);
    int padding = (int) (Layout.aligned(bytes.length, Layout.ALIGNMENT_BYTES) - bytes.length);
    out.writeBytes(new byte[padding]);
  }

  private void count(long value) {
    if (format.countBytes() == Long.BYTES) wide(value);
    else integer((int) value);
  }

  private void wide(long value) {
    integer((int) (value >>> Integer.SIZE));
    integer((int) value);
  }

  private void integer(int value) {
    out.write(value >>> 24);
    out.write(value >>> 16);
    out.write(value >>> 8);
    out.write(value);
  }
}
