// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import java.nio.ByteOrder;
import java.util.List;

/**
 * Where the variables of a file lie, so that many ranks can write their bytes without the library.
 * The elements of a variable follow each other in row-major order. {@code RecordFields} of module
 * base turns a layout into bytes for other ranks.
 *
 * @param isLittleEndian the byte order of all elements
 * @param fileBytes the length of the file, which contains all places
 * @param places one per variable, in the order of the header
 */
public record RawLayout(boolean isLittleEndian, long fileBytes, List<Place> places) {
  /**
   * The place of one variable.
   *
   * @param address the offset of its first byte in the file; {@link #NOWHERE} if it has no elements
   */
  public record Place(long address, long elements, int elementBytes) {
    public long lengthBytes() {
      return elements * elementBytes;
    }
  }

  public static final long NOWHERE = -1;

  public RawLayout {
    places = List.copyOf(places);
  }

  public ByteOrder byteOrder() {
    return isLittleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  /** The offset of one element in the file. */
  public long address(int variable, long element) {
    Place place = places.get(variable);
    if (element < 0 || element >= place.elements) {
      throw new IndexOutOfBoundsException(
          "element %d of variable %d, which has %d".formatted(element, variable, place.elements));
    }
    return place.address + element * place.elementBytes;
  }
}
