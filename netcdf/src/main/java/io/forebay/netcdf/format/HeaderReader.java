// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import io.forebay.base.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a header. Nothing in it is trusted before it is checked: no count allocates memory that the
 * file's own bytes do not fill, no offset points outside of what the format allows. See {@link
 * HeaderWriter} for the bytes.
 */
public final class HeaderReader {
  /** A header larger than this is not read. */
  public static final int HEADER_BYTES_MAX = 64 << 20;

  /** Names written by other libraries may be longer than the ones that we write. */
  private static final int NAME_BYTES_MAX = 4096;

  private static final int WINDOW_BYTES = 64 << 10;

  /** The least that an entry of any list takes: a name's length and a length or a type. */
  private static final int ENTRY_BYTES_MIN = 2 * Integer.BYTES;

  private final ByteSource source;
  private final long size;
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowEnd;
  private Format format = Format.CDF1;

  private HeaderReader(ByteSource source) throws IOException {
    this.source = source;
    size = source.size();
  }

  /**
   * Reads the header at the start of a file.
   *
   * @throws NetcdfException if there is none, or one that contradicts itself or the file's length
   */
  public static Header read(ByteSource source) throws IOException {
    HeaderReader reader = new HeaderReader(source);
    try {
      return reader.header();
    } catch (ArithmeticException e) {
      throw new NetcdfException(
          NetcdfError.MALFORMED, "sizes in the header are larger than any file", e);
    }
  }

  private Header header() throws IOException {
    int magic = integer("the magic number");
    format = formatOf(magic);
    long records = recordCount();
    List<Dimension> dimensions = dimensions();
    List<Attribute> attributes = attributes();
    int count = list(HeaderWriter.VARIABLE_TAG, "variables");
    List<Variable> variables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Variable variable = variable(dimensions);
      if (!names.add(variable.name())) throw malformed("two variables '" + variable.name() + "'");
      variables.add(variable);
    }
    Header header = new Header(format, records, dimensions, attributes, variables);
    checkPlaces(header, position());
    Layout.requireSizes(header);
    if (records != unknownCount()) return header;
    Header counted = header.withRecordCount(countedRecords(header));
    checkPlaces(counted, position());
    return counted;
  }

  private static Format formatOf(int magic) throws NetcdfException {
    for (Format format : Format.values()) {
      if (magic == (('C' << 24) | ('D' << 16) | ('F' << 8) | format.version())) return format;
    }
    boolean hdf5 = magic == ((0x89 << 24) | ('H' << 16) | ('D' << 8) | 'F');
    throw new NetcdfException(
        NetcdfError.MALFORMED,
        hdf5
            ? "this is an HDF5 file (netCDF-4), not one of the classic format"
            : "not a netCDF file: it does not begin with CDF and a version of 1, 2 or 5");
  }

  private long recordCount() throws IOException {
    if (format.countBytes() == Integer.BYTES) {
      return integer("the number of records") & 0xffff_ffffL;
    }
    long count = wide("the number of records");
    if (count < 0 && count != unknownCount()) throw malformed("a negative number of records");
    return count;
  }

  /** The placeholder for the number of records in a file that was written as a stream. */
  private long unknownCount() {
    return format.countBytes() == Integer.BYTES ? 0xffff_ffffL : -1L;
  }

  private long countedRecords(Header header) {
    Layout layout = Layout.of(header);
    long begin = Long.MAX_VALUE;
    for (Variable variable : header.variables()) {
      if (header.isRecord(variable)) begin = Math.min(begin, variable.begin());
    }
    if (begin > size || layout.recordBytes() == 0) return 0;
    return (size - begin) / layout.recordBytes();
  }

  private List<Dimension> dimensions() throws IOException {
    int count = list(HeaderWriter.DIMENSION_TAG, "dimensions");
    List<Dimension> dimensions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    boolean unlimited = false;
    for (int i = 0; i < count; i++) {
      Dimension dimension = new Dimension(name(), dimensionLength());
      if (!names.add(dimension.name()))
        throw malformed("two dimensions '" + dimension.name() + "'");
      if (dimension.isUnlimited() && unlimited) throw malformed("two unlimited dimensions");
      unlimited |= dimension.isUnlimited();
      dimensions.add(dimension);
    }
    return dimensions;
  }

  /** The C libraries write lengths above 2^31 into 32 bits, and read them, without a sign. */
  private long dimensionLength() throws IOException {
    String what = "a dimension's length";
    return format.countBytes() == Integer.BYTES ? integer(what) & 0xffff_ffffL : count(what);
  }

  private List<Attribute> attributes() throws IOException {
    int count = list(HeaderWriter.ATTRIBUTE_TAG, "attributes");
    List<Attribute> attributes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      String name = name();
      if (!names.add(name)) throw malformed("two attributes '" + name + "'");
      ElementType type = type();
      long elements = count("an attribute's length");
      byte[] values = padded(Math.multiplyExact(elements, type.sizeBytes()), HEADER_BYTES_MAX);
      attributes.add(new Attribute(name, type, Bytes.copyOf(values)));
    }
    return attributes;
  }

  private Variable variable(List<Dimension> dimensions) throws IOException {
    String name = name();
    long count = count("a variable's number of dimensions");
    requireRemaining(Math.multiplyExact(count, format.countBytes()), "dimensions of a variable");
    List<Integer> numbers = new ArrayList<>();
    for (int place = 0; place < count; place++) {
      long number = count("a dimension's number");
      if (number >= dimensions.size()) throw malformed("no dimension has the number " + number);
      if (place > 0 && dimensions.get((int) number).isUnlimited()) {
        throw malformed("variable '" + name + "' has an unlimited dimension behind others");
      }
      numbers.add((int) number);
    }
    List<Attribute> attributes = attributes();
    ElementType type = type();
    // The size is there for old readers; it follows from the dimensions and may be capped.
    if (format.countBytes() == Long.BYTES) wide("a variable's size");
    else integer("a variable's size");
    long begin =
        format.offsetBytes() == Long.BYTES
            ? wide("a variable's offset")
            : integer("a variable's offset");
    if (begin < 0) throw malformed("the offset of variable '" + name + "' is negative");
    return new Variable(name, type, numbers, attributes, begin);
  }

  /** Variables begin behind the header and do not overlap; sizes are such that all can be added. */
  private static void checkPlaces(Header header, long headerBytes) throws NetcdfException {
    List<Variable> fixed = new ArrayList<>();
    List<Variable> records = new ArrayList<>();
    for (Variable variable : header.variables()) {
      if (variable.begin() < headerBytes) {
        throw malformed(
            "variable '%s' begins at %d, inside of the header of %d bytes"
                .formatted(variable.name(), variable.begin(), headerBytes));
      }
      Math.addExact(variable.begin(), header.dataBytes(variable));
      (header.isRecord(variable) ? records : fixed).add(variable);
    }
    long end = checkOrder(fixed, header);
    checkOrder(records, header);
    if (!records.isEmpty()) {
      Variable first =
          records.stream().min(Comparator.comparingLong(Variable::begin)).orElseThrow();
      if (first.begin() < end) throw malformed("records begin before fixed variables end");
      Layout layout = Layout.of(header);
      long last = first.begin() + layout.recordBytes();
      for (Variable variable : records) {
        if (variable.begin() + header.dataBytes(variable) > last) {
          throw malformed("variable '" + variable.name() + "' is not inside of a record");
        }
      }
      boolean counted = header.recordCount() != -1 && header.recordCount() != 0xffff_ffffL;
      if (counted) Math.addExact(last, layout.offset(first, header.recordCount()));
    }
  }

  private static long checkOrder(List<Variable> variables, Header header) throws NetcdfException {
    List<Variable> sorted = new ArrayList<>(variables);
    sorted.sort(Comparator.comparingLong(Variable::begin));
    long end = 0;
    for (Variable variable : sorted) {
      if (variable.begin() < end) {
        throw malformed("variable '" + variable.name() + "' overlaps the one before it");
      }
      end = variable.begin() + header.dataBytes(variable);
    }
    return end;
  }

  private int list(int tag, String what) throws IOException {
    int found = integer("the list of " + what);
    long count = count("the number of " + what);
    if (found == 0 && count == 0) return 0;
    if (found != tag) {
      String number = Integer.toUnsignedString(found);
      throw malformed("instead of a list of " + what + " there is tag " + number);
    }
    requireRemaining(Math.multiplyExact(count, ENTRY_BYTES_MIN), what);
    return (int) count;
  }

  private String name() throws IOException {
    byte[] bytes = padded(count("a name's length"), NAME_BYTES_MAX);
    // Some writers count zeros that end a name; the C libraries read it up to the first one.
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) length++;
    if (length == 0) throw malformed("an empty name");
    try {
      ByteBuffer text = ByteBuffer.wrap(bytes, 0, length);
      return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    } catch (CharacterCodingException e) {
      throw new NetcdfException(NetcdfError.MALFORMED, "a name that is not UTF-8" + where(), e);
    }
  }

  private ElementType type() throws IOException {
    int code = integer("a type");
    ElementType type = ElementType.of(code, format);
    if (type == null) {
      throw malformed("no element type has the number " + Integer.toUnsignedString(code));
    }
    return type;
  }

  private byte[] padded(long length, int max) throws IOException {
    if (length > max) throw malformed(length + " bytes where at most " + max + " are possible");
    long withPadding = Layout.aligned(length, Layout.ALIGNMENT_BYTES);
    requireRemaining(withPadding, "a name or values");
    byte[] bytes = new byte[(int) length];
    int done = 0;
    while (done < bytes.length) {
      if (!window.hasRemaining()) fill(1, "a name or values");
      int step = Math.min(window.remaining(), bytes.length - done);
      window.get(bytes, done, step);
      done += step;
    }
    for (long i = length; i < withPadding; i++) {
      if (!window.hasRemaining()) fill(1, "padding");
      window.get();
    }
    return bytes;
  }

  private long count(String what) throws IOException {
    if (format.countBytes() == Integer.BYTES) {
      int count = integer(what);
      if (count < 0) throw malformed(what + " is negative");
      return count;
    }
    long count = wide(what);
    if (count < 0) throw malformed(what + " is negative");
    return count;
  }

  private int integer(String what) throws IOException {
    if (window.remaining() < Integer.BYTES) fill(Integer.BYTES, what);
    return window.getInt();
  }

  private long wide(String what) throws IOException {
    if (window.remaining() < Long.BYTES) fill(Long.BYTES, what);
    return window.getLong();
  }

  /** Reads more, keeping the rest of the window. */
  private void fill(int needed, String what) throws IOException {
    requireRemaining(needed, what);
    long readable = Math.min(size, HEADER_BYTES_MAX) - windowEnd;
    int more = (int) Math.min(WINDOW_BYTES, readable);
    ByteBuffer next = ByteBuffer.allocate(window.remaining() + more);
    next.put(window);
    source.read(next, windowEnd);
    windowEnd += more;
    window = next.flip();
  }

  private void requireRemaining(long bytes, String what) throws NetcdfException {
    if (bytes > HEADER_BYTES_MAX - position()) {
      throw malformed("the header is longer than " + HEADER_BYTES_MAX + " bytes at " + what);
    }
    if (bytes > size - position()) {
      throw new NetcdfException(NetcdfError.TRUNCATED, "the file ends within " + what + where());
    }
  }

  private long position() {
    return windowEnd - window.remaining();
  }

  private static NetcdfException malformed(String what) {
    return new NetcdfException(NetcdfError.MALFORMED, what);
  }

  private String where() {
    return " (at byte " + position() + ")";
  }
}
