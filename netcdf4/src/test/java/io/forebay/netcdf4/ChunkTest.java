// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chunks are planes, within a bound. */
class ChunkTest {
  private static long[] chunk(long... lengths) throws NetcdfException {
    List<Dimension> dimensions = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (long length : lengths) {
      numbers.add(numbers.size());
      dimensions.add(new Dimension("d" + numbers.size(), length));
    }
    Variable variable = Sample.variable("v", ElementType.DOUBLE, numbers);
    Header header = new Header(Format.CDF5, 0, dimensions, List.of(), List.of(variable));
    return Chunk.shape(FixedShape.of(header), variable);
  }

  @Test
  void planeOfTheLastTwoDimensions() throws NetcdfException {
    assertThat(chunk(7)).containsExactly(7);
    assertThat(chunk(5, 7)).containsExactly(5, 7);
    assertThat(chunk(2, 3, 5, 7)).containsExactly(1, 1, 5, 7);
  }

  @Test
  void longPlanesAreCutIntoRows() throws NetcdfException {
    long elementsMax = Chunk.BYTES_MAX / Double.BYTES;
    assertThat(chunk(3, elementsMax, 16)).containsExactly(1, elementsMax / 16, 16);
    assertThat(chunk(2, 2 * elementsMax)).containsExactly(1, elementsMax);
    assertThat(chunk(2 * elementsMax)).containsExactly(elementsMax);
  }

  @Test
  void dimensionWithoutElementsHasChunksOfOne() throws NetcdfException {
    assertThat(chunk(0, 7)).containsExactly(1, 7);
  }
}
