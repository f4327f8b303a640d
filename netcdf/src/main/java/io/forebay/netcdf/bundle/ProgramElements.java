// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.flow.Elements;
import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.direct.FillValues;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements that a program gave for one step, converted to a file's bytes as they are packed.
 */
final class ProgramElements implements Elements {
  /** A variable's elements on this rank. */
  private record Source(Values values, Values fill, Block block, Bundle bundle, PlaneVariable of) {}

  private final List<List<Source>> sources = new ArrayList<>();
  private final List<ByteOrder> orders;
  private @Nullable NetcdfException outOfRange;

  private ProgramElements(List<ByteOrder> orders) {
    this.orders = orders;
  }

  /**
   * Checks that there are elements for everything.
   *
   * @param blocks this rank's block of each bundle
   * @param orders the byte order of each bundle's file
   */
  static ProgramElements of(
      StepData data, List<Bundle> bundles, List<Block> blocks, List<ByteOrder> orders)
      throws NetcdfException {
    data.requireKnown(bundles);
    ProgramElements elements = new ProgramElements(orders);
    for (int i = 0; i < bundles.size(); i++) {
      List<Source> ofBundle = new ArrayList<>();
      for (PlaneVariable variable : bundles.get(i).variables()) {
        ofBundle.add(source(data, bundles.get(i), variable, blocks.get(i)));
      }
      elements.sources.add(ofBundle);
    }
    return elements;
  }

  private static Source source(StepData data, Bundle bundle, PlaneVariable variable, Block block)
      throws NetcdfException {
    Values values = data.get(bundle.name(), variable.name());
    long needed = Math.multiplyExact(block.elements(), variable.planes());
    if (values == null) {
      // A rank without a part need not say so for each variable.
      if (needed > 0) throw problem(NetcdfError.NOT_FOUND, bundle, variable, "has no values");
      values = Values.of(new byte[0]);
    } else {
      if (values.count() != needed) {
        String lengths =
            "has %d values for %d planes of %s".formatted(values.count(), variable.planes(), block);
        throw problem(NetcdfError.WRONG_LENGTH, bundle, variable, lengths);
      }
      try {
        Conversion.check(values.type(), variable.type());
      } catch (NetcdfException e) {
        throw problem(e.error(), bundle, variable, String.valueOf(e.getMessage()));
      }
    }
    Values fill = FillValues.of(bundle.header().variables().get(variable.index()));
    return new Source(values, fill, block, bundle, variable);
  }

  private static NetcdfException problem(
      NetcdfError error, Bundle bundle, PlaneVariable variable, String what) {
    return new NetcdfException(
        error, "bundle '%s', variable '%s': %s".formatted(bundle.name(), variable.name(), what));
  }

  @Override
  public void pack(int bundle, int variable, long level, Block part, MemorySegment target) {
    Source source = sources.get(bundle).get(variable);
    Block block = source.block;
    Values packed = new Values(target, source.of.type(), orders.get(bundle));
    long first =
        level * block.elements()
            + (part.row() - block.row()) * block.columns()
            + part.column()
            - block.column();
    boolean rowsAreApart = part.columns() < block.columns() && part.rows() > 1;
    long run = rowsAreApart ? part.columns() : part.elements();
    for (long done = 0; done < part.elements(); done += run) {
      Values from = source.values.slice(first + done / run * block.columns(), run);
      Values to = run == packed.count() ? packed : packed.slice(done, run);
      convert(source, from, to);
    }
  }

  private void convert(Source source, Values from, Values to) {
    boolean fits = Conversion.convert(from, to, source.fill, source.bundle.header().format());
    if (fits || outOfRange != null) return;
    String text = "values that do not fit " + source.of.type() + " became fill values";
    outOfRange = problem(NetcdfError.OUT_OF_RANGE, source.bundle, source.of, text);
  }

  @Override
  public void place(
      MemorySegment packed, Block part, MemorySegment target, Block whole, int elementBytes) {
    long runBytes = part.columns() * elementBytes;
    long rowBytes = whole.columns() * elementBytes;
    long at =
        (part.row() - whole.row()) * rowBytes + (part.column() - whole.column()) * elementBytes;
    if (runBytes == rowBytes) {
      MemorySegment.copy(packed, 0, target, at, packed.byteSize());
      return;
    }
    for (long row = 0; row < part.rows(); row++) {
      MemorySegment.copy(packed, row * runBytes, target, at + row * rowBytes, runBytes);
    }
  }

  @Override
  public void copy(MemorySegment source, MemorySegment target) {
    target.copyFrom(source);
  }

  /** What is wrong with values that were packed; null if they all fitted. */
  @Nullable NetcdfException outOfRange() {
    return outOfRange;
  }
}
