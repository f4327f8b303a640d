// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static io.forebay.netcdf4.Netcdf4Library.number;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks HDF5 where the variables of a closed file lie, and checks that raw writes may rely on it.
 * Called exclusively; see {@link Netcdf4Library}.
 */
final class StoragePlaces {
  // Constants of HDF5.
  private static final int READ_ONLY = 0;
  private static final int DEFAULT = 0;
  private static final int LAYOUT_CONTIGUOUS = 1;
  private static final int SPACE_ALLOCATED = 2;
  private static final int ORDER_LITTLE_ENDIAN = 0;
  private static final int ORDER_BIG_ENDIAN = 1;

  /** How libnetcdf stores a variable whose name is taken by a dimension's own dataset. */
  private static final String NOT_A_COORDINATE = "_nc4_non_coord_";

  private final FileCalls calls;
  private final FixedShape shape;
  private final int alignmentBytes;

  StoragePlaces(FileCalls calls, FixedShape shape, int alignmentBytes) {
    this.calls = calls;
    this.shape = shape;
    this.alignmentBytes = alignmentBytes;
  }

  RawLayout read() throws NetcdfException {
    List<RawLayout.Place> places = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(calls.path().toString());
      long file =
          calls.hdf5("", NativeFunction.OPEN_FILE, name, number(READ_ONLY), number(DEFAULT));
      try {
        for (Variable variable : shape.variables()) places.add(place(file, variable));
      } finally {
        close(NativeFunction.CLOSE_FILE, file);
      }
    }
    long fileBytes = fileBytes();
    for (int i = 0; i < places.size(); i++) {
      RawLayout.Place place = places.get(i);
      if (place.address() + place.lengthBytes() <= fileBytes) continue;
      throw unfit(shape.variables().get(i), "ends behind the file's last byte");
    }
    return new RawLayout(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, fileBytes, places);
  }

  private RawLayout.Place place(long file, Variable variable) throws NetcdfException {
    long elements = shape.elements(variable);
    int elementBytes = variable.type().sizeBytes();
    if (elements == 0) return new RawLayout.Place(RawLayout.NOWHERE, 0, elementBytes);
    String subject = "variable '" + variable.name() + "'";
    String stored =
        shape.isNamedLikeAnotherDimension(variable)
            ? NOT_A_COORDINATE + variable.name()
            : variable.name();
    try (Arena arena = Arena.ofConfined()) {
      long dataset =
          calls.hdf5(
              subject,
              NativeFunction.OPEN_DATASET,
              number(file),
              arena.allocateFrom(stored),
              number(DEFAULT));
      try {
        requireContiguous(dataset, variable);
        requireType(dataset, variable);
        requireAllocated(arena, dataset, variable);
        long address = calls.hdf5(subject, NativeFunction.DATASET_OFFSET, number(dataset));
        requireAligned(address, elements * elementBytes, variable);
        return new RawLayout.Place(address, elements, elementBytes);
      } finally {
        close(NativeFunction.CLOSE_DATASET, dataset);
      }
    }
  }

  private void requireContiguous(long dataset, Variable variable) throws NetcdfException {
    String subject = "variable '" + variable.name() + "'";
    long properties = calls.hdf5(subject, NativeFunction.DATASET_PROPERTIES, number(dataset));
    try {
      int layout = calls.hdf5Int(subject, NativeFunction.PROPERTIES_LAYOUT, number(properties));
      if (layout != LAYOUT_CONTIGUOUS) throw unfit(variable, "is not contiguous");
    } finally {
      close(NativeFunction.CLOSE_PROPERTIES, properties);
    }
  }

  private void requireType(long dataset, Variable variable) throws NetcdfException {
    String subject = "variable '" + variable.name() + "'";
    long type = calls.hdf5(subject, NativeFunction.DATASET_TYPE, number(dataset));
    try {
      long size = calls.hdf5(subject, NativeFunction.TYPE_SIZE, number(type));
      if (size != variable.type().sizeBytes()) {
        throw unfit(variable, "has elements of " + size + " bytes");
      }
      if (size == 1) return;
      boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
      int order = calls.hdf5Int(subject, NativeFunction.TYPE_ORDER, number(type));
      if (order != (isLittle ? ORDER_LITTLE_ENDIAN : ORDER_BIG_ENDIAN)) {
        throw unfit(variable, "has not the byte order of this machine");
      }
    } finally {
      close(NativeFunction.CLOSE_TYPE, type);
    }
  }

  private void requireAllocated(Arena arena, long dataset, Variable variable)
      throws NetcdfException {
    String subject = "variable '" + variable.name() + "'";
    MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
    calls.hdf5Int(subject, NativeFunction.DATASET_SPACE_STATUS, number(dataset), status);
    if (status.get(ValueLayout.JAVA_INT, 0) != SPACE_ALLOCATED) {
      throw unfit(variable, "is not allocated");
    }
    long expected = shape.elements(variable) * variable.type().sizeBytes();
    long size = calls.hdf5(subject, NativeFunction.DATASET_STORAGE_SIZE, number(dataset));
    if (size != expected) {
      throw unfit(variable, "has %d bytes instead of %d".formatted(size, expected));
    }
  }

  private void requireAligned(long address, long lengthBytes, Variable variable)
      throws NetcdfException {
    if (lengthBytes < alignmentBytes || address % alignmentBytes == 0) return;
    throw unfit(variable, "begins at %d, no multiple of %d".formatted(address, alignmentBytes));
  }

  private long fileBytes() throws NetcdfException {
    try {
      return Files.size(calls.path());
    } catch (IOException e) {
      throw new NetcdfException(NetcdfError.STORAGE, calls.path() + ": no size: " + e, e);
    }
  }

  private NetcdfException unfit(Variable variable, String problem) {
    return new NetcdfException(
        NetcdfError.LIBRARY,
        "%s: variable '%s' %s, so it cannot be written without libnetcdf"
            .formatted(calls.path(), variable.name(), problem));
  }

  /** The file was opened to read, so nothing can be lost; HDF5 fails here for wrong ids only. */
  private void close(NativeFunction function, long id) {
    int code = (int) calls.library().call(function, number(id));
    if (code < 0) throw new IllegalStateException(function.symbol() + " fails for " + id);
  }
}
