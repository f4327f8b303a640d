// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.validate.HeaderScan.FoundVariable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the positions of variables: behind the header, without overlaps, in the file. */
final class PlaceCheck {
  private static final int ALIGNMENT_BYTES = 4;

  /** The placeholder for a size that is too large for its field. */
  private static final long SIZE_TOO_LARGE = 0xffff_ffffL;

  /** What old CDF-2 writers put there instead. */
  private static final long SIZE_TOO_LARGE_OF_OLD = 0x7fff_ffffL;

  /** A variable and the bytes of its data, or of one record's part of it. */
  private record Placed(FoundVariable variable, long dataBytes) {
    long paddedBytes() {
      return aligned(dataBytes);
    }

    String name() {
      return variable.name();
    }
  }

  private final HeaderScan scan;
  private final long headerBytes;
  private final long fileBytes;
  private final Findings findings;
  private final List<Placed> fixed = new ArrayList<>();
  private final List<Placed> recorded = new ArrayList<>();

  PlaceCheck(HeaderScan scan, long headerBytes, long fileBytes, Findings findings) {
    this.scan = scan;
    this.headerBytes = headerBytes;
    this.fileBytes = fileBytes;
    this.findings = findings;
  }

  /** Checks all variables; returns the length that the file should have, 0 if unknown. */
  long run() {
    boolean known = true;
    for (FoundVariable variable : scan.variables()) {
      long bytes = dataBytes(variable);
      boolean sane = bytes >= 0 && variable.begin() >= 0;
      if (bytes >= 0) checkSize(new Placed(variable, bytes));
      known &= sane;
      if (sane) (scan.isRecord(variable) ? recorded : fixed).add(new Placed(variable, bytes));
    }
    if (known) checkLarge();
    long fixedEnd = checkOrder(fixed, headerBytes, "the header");
    checkOrder(recorded, fixedEnd, "what is before the records");
    return known ? checkLength(fixedEnd) : 0;
  }

  /** The bytes of a variable's data; negative, with a finding, if they cannot be computed. */
  private long dataBytes(FoundVariable variable) {
    if (variable.begin() < 0) {
      findings.error(
          variable.beginOffset(),
          "the offset of variable '%s' is negative".formatted(variable.name()));
    }
    if (variable.type() == null) return -1;
    try {
      long bytes = variable.type().sizeBytes();
      for (int place = 0; place < variable.dimensions().size(); place++) {
        long length = scan.length(variable.dimensions().get(place));
        if (length > 0) bytes = Math.multiplyExact(bytes, length);
      }
      Math.addExact(Math.addExact(bytes, ALIGNMENT_BYTES), Math.max(0, variable.begin()));
      return bytes;
    } catch (ArithmeticException e) {
      findings.error(
          variable.sizeOffset(),
          "variable '" + variable.name() + "' is larger than any file can be");
      return -1;
    }
  }

  /** Only the last variable of a file, or the last part of a record, may be large. */
  private void checkLarge() {
    checkLarge(fixed, recorded.isEmpty());
    checkLarge(recorded, true);
  }

  private void checkLarge(List<Placed> section, boolean lastMayBe) {
    Format format = scan.format();
    if (format == null) return;
    for (int i = 0; i < section.size(); i++) {
      Placed placed = section.get(i);
      boolean allowed = lastMayBe && i == section.size() - 1;
      if (allowed || placed.dataBytes() <= format.variableBytesMax()) continue;
      findings.error(
          placed.variable().sizeOffset(),
          "variable '%s' has %d bytes; in %s only the last variable may have more than %d"
              .formatted(placed.name(), placed.dataBytes(), format, format.variableBytesMax()));
    }
  }

  private void checkSize(Placed placed) {
    FoundVariable variable = placed.variable();
    long size = variable.sizeBytes();
    if (scan.format() != Format.CDF5) size &= 0xffff_ffffL;
    long expected = placed.paddedBytes();
    boolean large = scan.format() != Format.CDF5 && expected > SIZE_TOO_LARGE - ALIGNMENT_BYTES;
    if (size == expected) return;
    if (large && (size == SIZE_TOO_LARGE || size == SIZE_TOO_LARGE_OF_OLD)) return;
    String sentence =
        "variable '%s' has a size of %d where its dimensions give %d; readers use the latter"
            .formatted(variable.name(), size, expected);
    findings.warning(variable.sizeOffset(), sentence);
  }

  private long checkOrder(List<Placed> section, long from, String before) {
    long end = from;
    String previous = before;
    for (Placed placed : section) {
      FoundVariable variable = placed.variable();
      if (variable.begin() < end) {
        findings.error(
            variable.beginOffset(),
            "variable '%s' begins at %d, before %s ends at %d"
                .formatted(variable.name(), variable.begin(), previous, end));
      }
      if (variable.begin() % ALIGNMENT_BYTES != 0) {
        findings.warning(
            variable.beginOffset(),
            "variable '%s' begins at %d, which is not a multiple of %d"
                .formatted(variable.name(), variable.begin(), ALIGNMENT_BYTES));
      }
      end = Math.max(end, saturated(variable.begin(), placed.paddedBytes()));
      previous = "variable '" + variable.name() + "'";
    }
    return end;
  }

  private long checkLength(long fixedEnd) {
    long expected = headerBytes;
    @Nullable Placed last = null;
    for (Placed placed : fixed) {
      if (last == null || placed.variable().begin() >= last.variable().begin()) last = placed;
    }
    if (last != null) expected = Math.max(expected, dataEnd(last, 0, 0));
    long recordBytes = recordBytes();
    if (scan.records() > 0) {
      for (Placed placed : recorded) {
        expected = Math.max(expected, dataEnd(placed, scan.records() - 1, recordBytes));
      }
    }
    checkRecords(recordBytes);
    long padded =
        scan.records() > 0 && !recorded.isEmpty() ? expected : Math.max(fixedEnd, expected);
    if (fileBytes < expected) {
      findings.warning(
          fileBytes,
          "the file ends at byte %d, but its data extends to byte %d: readers see zeros there"
              .formatted(fileBytes, expected));
    } else if (fileBytes > aligned(padded) && !scan.streaming()) {
      findings.warning(
          aligned(padded),
          "%d bytes behind the data belong to no variable".formatted(fileBytes - aligned(padded)));
    }
    return expected;
  }

  /** All parts of a record lie within its length. */
  private void checkRecords(long recordBytes) {
    if (recorded.isEmpty()) return;
    long first = recorded.getFirst().variable().begin();
    for (Placed placed : recorded) {
      long end = saturated(placed.variable().begin(), placed.dataBytes());
      if (end > saturated(first, recordBytes)) {
        findings.error(
            placed.variable().beginOffset(),
            "variable '%s' ends at %d, outside of its record of %d bytes"
                .formatted(placed.name(), end, recordBytes));
      }
    }
  }

  private long recordBytes() {
    if (recorded.size() == 1) return recorded.getFirst().dataBytes();
    long bytes = 0;
    for (Placed placed : recorded) bytes = saturated(bytes, placed.paddedBytes());
    return bytes;
  }

  private static long dataEnd(Placed placed, long record, long recordBytes) {
    long high = Math.multiplyHigh(record, recordBytes);
    long before = high != 0 || record * recordBytes < 0 ? Long.MAX_VALUE : record * recordBytes;
    return saturated(saturated(placed.variable().begin(), before), placed.dataBytes());
  }

  private static long saturated(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long aligned(long bytes) {
    long above = saturated(bytes, ALIGNMENT_BYTES - 1);
    return above - above % ALIGNMENT_BYTES;
  }
}
