// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.netcdf.pattern.BtioPattern;
import io.forebay.bench.netcdf.pattern.FlashPattern;
import io.forebay.bench.netcdf.pattern.IorPattern;
import io.forebay.bench.netcdf.pattern.Pattern;
import java.util.List;
import java.util.Locale;

/**
 * A pattern by its name and size.
 *
 * @param size bytes of a transfer, cells along a block or points along the grid
 * @param amount bytes of each rank, blocks of each rank, or dumps
 */
public record Workload(Kind kind, int ranks, long size, long amount) {
  /** Which program is imitated. */
  public enum Kind {
    IOR_CONTIGUOUS,
    IOR_STRIDED,
    FLASH,
    BTIO_STRONG,
    BTIO_WEAK;

    /** As people write it: {@code ior-strided}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public boolean isIor() {
      return this == IOR_CONTIGUOUS || this == IOR_STRIDED;
    }

    public boolean isBtio() {
      return this == BTIO_STRONG || this == BTIO_WEAK;
    }
  }

  private static final String SEPARATOR = ",";

  public Pattern pattern() {
    return switch (kind) {
      case IOR_CONTIGUOUS -> IorPattern.contiguous(ranks, amount, size);
      case IOR_STRIDED -> IorPattern.strided(ranks, amount, size);
      case FLASH -> new FlashPattern(ranks, (int) amount, (int) size);
      case BTIO_STRONG -> BtioPattern.strong(ranks, (int) size, (int) amount);
      case BTIO_WEAK -> BtioPattern.weak(ranks, (int) size, (int) amount);
    };
  }

  String toText() {
    return String.join(SEPARATOR, kind.name(), "" + ranks, "" + size, "" + amount);
  }

  static Workload parse(String text) {
    List<String> fields = List.of(text.split(SEPARATOR, -1));
    return new Workload(
        Kind.valueOf(fields.get(0)),
        Integer.parseInt(fields.get(1)),
        Long.parseLong(fields.get(2)),
        Long.parseLong(fields.get(3)));
  }
}
