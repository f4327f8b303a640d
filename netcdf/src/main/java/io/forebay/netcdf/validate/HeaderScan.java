// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Names;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Scans a header as it is in the file, and continues behind defects as long as it is clear where
 * the next item begins. {@link io.forebay.netcdf.format.HeaderWriter} has the bytes.
 */
final class HeaderScan {
  /** A variable as the header has it, and where its fields are. */
  record FoundVariable(
      String name,
      List<Integer> dimensions,
      @Nullable ElementType type,
      long sizeOffset,
      long sizeBytes,
      long beginOffset,
      long begin) {}

  private static final int DIMENSION_TAG = 10;
  private static final int VARIABLE_TAG = 11;
  private static final int ATTRIBUTE_TAG = 12;

  /** The least that an entry of any list takes. */
  private static final int ENTRY_BYTES_MIN = 2 * Integer.BYTES;

  private final HeaderBytes bytes;
  private final Findings findings;
  private @Nullable Format format;
  private long records;
  private boolean streaming;
  private final List<Long> lengths = new ArrayList<>();
  private final List<FoundVariable> variables = new ArrayList<>();

  HeaderScan(HeaderBytes bytes, Findings findings) {
    this.bytes = bytes;
    this.findings = findings;
  }

  void run() throws IOException {
    magic();
    recordCount();
    dimensions();
    attributes("the file");
    long count = list(VARIABLE_TAG, "variables");
    Set<String> names = new HashSet<>();
    for (long i = 0; i < count; i++) variables.add(variable(names));
  }

  @Nullable Format format() {
    return format;
  }

  /** How many records the header says there are; see {@link #streaming}. */
  long records() {
    return records;
  }

  /** Whether the number of records is left open, to be found from the file's length. */
  boolean streaming() {
    return streaming;
  }

  List<FoundVariable> variables() {
    return variables;
  }

  /** Whether a variable grows with the records. */
  boolean isRecord(FoundVariable variable) {
    return !variable.dimensions().isEmpty() && length(variable.dimensions().getFirst()) == 0;
  }

  /** The length of a dimension; 1 for one that does not exist, which was reported already. */
  long length(int dimension) {
    boolean exists = dimension >= 0 && dimension < lengths.size();
    return exists ? Math.max(0, lengths.get(dimension)) : 1;
  }

  private void magic() throws IOException {
    int magic = bytes.integer("the magic number");
    for (Format one : Format.values()) {
      if (magic == (('C' << 24) | ('D' << 16) | ('F' << 8) | one.version())) format = one;
    }
    if (format == null) {
      throw new HeaderBytes.Unreadable(
          0, "the file does not begin with CDF and a version of 1, 2 or 5");
    }
  }

  private boolean wide() {
    return format == Format.CDF5;
  }

  private void recordCount() throws IOException {
    long at = bytes.position();
    records = wide() ? bytes.wide("the number of records") : bytes.integer("the number of records");
    streaming = records == -1;
    if (streaming) {
      findings.warning(at, "the number of records is left open: it follows from the file's length");
      records = 0;
    } else if (records < 0 && wide()) {
      findings.error(at, "the number of records is negative");
      records = 0;
    } else {
      records = wide() ? records : records & 0xffff_ffffL;
    }
  }

  private void dimensions() throws IOException {
    long count = list(DIMENSION_TAG, "dimensions");
    Set<String> names = new HashSet<>();
    boolean unlimited = false;
    for (long i = 0; i < count; i++) {
      String what = "dimension " + i;
      String name = name(what, names);
      long at = bytes.position();
      long length = number("the length of " + what);
      // As the C libraries have it, without a sign.
      if (!wide()) length &= 0xffff_ffffL;
      if (length < 0) {
        findings.error(at, "the length of dimension '%s' is negative".formatted(name));
      } else if (length == 0) {
        if (unlimited) findings.error(at, "dimension '" + name + "' is a second unlimited one");
        unlimited = true;
      }
      lengths.add(length);
    }
  }

  private void attributes(String owner) throws IOException {
    long count = list(ATTRIBUTE_TAG, "attributes of " + owner);
    Set<String> names = new HashSet<>();
    for (long i = 0; i < count; i++) {
      String name = name("attribute " + i + " of " + owner, names);
      String what = "attribute '" + name + "' of " + owner;
      long typeAt = bytes.position();
      ElementType type = type(what);
      if (type == null) {
        throw new HeaderBytes.Unreadable(
            typeAt, "the bytes that follow cannot be parsed without the type of " + what);
      }
      long at = bytes.position();
      long elements = number("the number of elements of " + what);
      requireCount(at, elements, bytes.remaining(), "elements of " + what);
      bytes.padded(elements * type.sizeBytes(), what);
    }
  }

  private FoundVariable variable(Set<String> names) throws IOException {
    String name = name("variable " + variables.size(), names);
    String what = "variable '" + name + "'";
    long at = bytes.position();
    long rank = number("the number of dimensions of " + what);
    requireCount(at, rank, bytes.remaining() / Integer.BYTES, "dimensions of " + what);
    List<Integer> shape = new ArrayList<>();
    for (int place = 0; place < rank; place++) shape.add(dimension(what, place));
    attributes(what);
    ElementType type = type(what);
    long sizeAt = bytes.position();
    long size = number("the size of " + what);
    long beginAt = bytes.position();
    long begin =
        format == Format.CDF1
            ? bytes.integer("the offset of " + what)
            : bytes.wide("the offset of " + what);
    return new FoundVariable(name, shape, type, sizeAt, size, beginAt, begin);
  }

  private int dimension(String owner, int place) throws IOException {
    long at = bytes.position();
    long number = number("the dimensions of " + owner);
    if (number < 0 || number >= lengths.size()) {
      String which = number < 0 ? "a dimension with a negative number" : "dimension " + number;
      findings.error(at, "%s has %s, which does not exist".formatted(owner, which));
      return -1;
    }
    if (place > 0 && lengths.get((int) number) == 0) {
      findings.error(at, owner + " has the unlimited dimension behind others");
    }
    return (int) number;
  }

  private long list(int tag, String what) throws IOException {
    long at = bytes.position();
    int found = bytes.integer("the list of " + what);
    long count = number("the number of " + what);
    if (found == 0 && count == 0) return 0;
    if (found != tag) {
      throw new HeaderBytes.Unreadable(
          at,
          "the list of %s begins with tag %s and not with %d"
              .formatted(what, Integer.toUnsignedString(found), tag));
    }
    requireCount(at + Integer.BYTES, count, bytes.remaining() / ENTRY_BYTES_MIN, what);
    return count;
  }

  private void requireCount(long at, long count, long max, String what) throws IOException {
    if (count >= 0 && count <= max) return;
    throw new HeaderBytes.Unreadable(
        at,
        count < 0
            ? "the number of %s is negative".formatted(what)
            : "there are %d %s in a file of %d more bytes"
                .formatted(count, what, bytes.remaining()));
  }

  private String name(String what, Set<String> names) throws IOException {
    long at = bytes.position();
    long length = number("the length of the name of " + what);
    if (length < 0) throw new HeaderBytes.Unreadable(at, what + " has a name of negative length");
    long textAt = bytes.position();
    byte[] text = upToZero(bytes.padded(length, "the name of " + what), textAt, what);
    String name;
    try {
      name = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      findings.error(textAt, "the name of " + what + " is not UTF-8");
      name = new String(text, StandardCharsets.ISO_8859_1);
    }
    if (name.isEmpty()) findings.error(at, what + " has no name");
    else if (!isAllowed(name)) {
      findings.warning(textAt, "netCDF does not allow the name '%s' of %s".formatted(name, what));
    }
    if (!names.add(name)) findings.error(textAt, "%s is the second '%s'".formatted(what, name));
    return name;
  }

  /** Some writers count the zeros that end a name. */
  private byte[] upToZero(byte[] text, long at, String what) {
    int length = 0;
    while (length < text.length && text[length] != 0) length++;
    if (length == text.length) return text;
    findings.warning(at, "the name of " + what + " ends with zero bytes that are counted");
    return Arrays.copyOf(text, length);
  }

  private static boolean isAllowed(String name) {
    try {
      return Names.checked(name).equals(name);
    } catch (NetcdfException e) {
      return false;
    }
  }

  private @Nullable ElementType type(String what) throws IOException {
    long at = bytes.position();
    int code = bytes.integer("the type of " + what);
    for (ElementType type : ElementType.values()) {
      if (type.code() != code || format == null) continue;
      if (type.existsIn(format)) return type;
    }
    String number = Integer.toUnsignedString(code);
    findings.error(at, "%s has type %s, which does not exist".formatted(what, number));
    return null;
  }

  /** A count or a length: as wide as the version has them. */
  private long number(String what) throws IOException {
    return wide() ? bytes.wide(what) : bytes.integer(what);
  }
}
