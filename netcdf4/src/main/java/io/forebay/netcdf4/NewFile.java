// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static io.forebay.netcdf4.Netcdf4Library.number;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * Creates a file and writes its definitions. Called exclusively; see {@link Netcdf4Library}.
 *
 * <ol>
 *   <li>Check the path: libnetcdf has one error, "permission denied", for most of its problems.
 *   <li>Create the file.
 *   <li>Define dimensions, variables and attributes.
 *   <li>End define mode, which writes all of that.
 *   <li>Allocate variables that are not deflated.
 * </ol>
 */
final class NewFile {
  // Constants of netcdf.h; the number of a type is that of the classic formats.
  private static final int NOCLOBBER = 0x4;
  private static final int NETCDF4 = 0x1000;
  private static final int NOFILL = 0x100;
  private static final int CONTIGUOUS = 1;
  private static final int CHUNKED = 0;
  private static final int GLOBAL = -1;

  private static final int ELEMENT_BYTES_MAX = Long.BYTES;

  private final FileCalls calls;
  private final FixedShape shape;
  private final Netcdf4Options options;

  NewFile(FileCalls calls, FixedShape shape, Netcdf4Options options) {
    this.calls = calls;
    this.shape = shape;
    this.options = options;
  }

  /** Leaves no file behind if it fails, and otherwise one in data mode, whose id it returns. */
  int create() throws NetcdfException {
    checkPath(); // 1
    try (Arena arena = Arena.ofConfined()) {
      int id = createEmpty(arena); // 2
      try {
        define(arena, id); // 3
        calls.netcdf("", NativeFunction.ENDDEF, number(id)); // 4
        if (options.deflateLevel() == 0) allocate(arena, id); // 5
      } catch (NetcdfException | RuntimeException | Error e) {
        discard(id, e);
        throw e;
      }
      return id;
    }
  }

  private void checkPath() throws NetcdfException {
    Path path = calls.path();
    if (path.toString().indexOf('\\') >= 0) {
      throw new NetcdfException(
          NetcdfError.BAD_NAME,
          path + ": libnetcdf takes the backslash for the end of a directory; use another name");
    }
    if (!Files.isDirectory(calls.directory())) {
      throw new NetcdfException(
          NetcdfError.STORAGE, path + ": there is no directory " + calls.directory());
    }
    if (Files.isDirectory(path)) {
      throw new NetcdfException(NetcdfError.EXISTS, path + " is a directory");
    }
    if (options.mode() == CreateMode.NEW && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new NetcdfException(NetcdfError.EXISTS, path + " exists already");
    }
  }

  private int createEmpty(Arena arena) throws NetcdfException {
    // A setting of the process, for files created later; only its callers here hold the lock.
    MemorySegment alignment = number(options.alignmentBytes());
    calls.netcdf("", NativeFunction.SET_ALIGNMENT, alignment, alignment);
    MemorySegment name = arena.allocateFrom(calls.path().toString());
    int mode = options.mode() == CreateMode.NEW ? NETCDF4 | NOCLOBBER : NETCDF4;
    MemorySegment id = arena.allocate(ValueLayout.JAVA_INT);
    try {
      calls.netcdf("", NativeFunction.CREATE, name, number(mode), id);
    } catch (NetcdfException e) {
      // Without space HDF5 creates an empty file and fails then.
      boolean isOurs = options.mode() == CreateMode.NEW && e.error() != NetcdfError.EXISTS;
      if (isOurs) delete(e);
      throw e;
    }
    return id.get(ValueLayout.JAVA_INT, 0);
  }

  private void define(Arena arena, int id) throws NetcdfException {
    // Chunks that are not written have no bytes in the file: readers need a value for them.
    if (options.deflateLevel() == 0) {
      calls.netcdf("", NativeFunction.SET_FILL, number(id), number(NOFILL), MemorySegment.NULL);
    }
    MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
    for (Dimension dimension : shape.dimensions()) {
      calls.netcdf(
          "dimension '" + dimension.name() + "'",
          NativeFunction.DEF_DIM,
          number(id),
          arena.allocateFrom(dimension.name()),
          number(dimension.length()),
          number);
    }
    defineAttributes(id, GLOBAL, "", shape.attributes());
    // Dimensions and variables are numbered in the order of their definition, as in the header.
    List<Variable> variables = shape.variables();
    for (int i = 0; i < variables.size(); i++) {
      defineVariable(id, i, variables.get(i));
    }
  }

  /**
   * Writes one element per variable. Readers find anything in a variable that is neither filled nor
   * allocated, and HDF5 allocates a contiguous one as a whole at its first write.
   */
  private void allocate(Arena arena, int id) throws NetcdfException {
    MemorySegment element = arena.allocate(ELEMENT_BYTES_MAX);
    List<Variable> variables = shape.variables();
    for (int i = 0; i < variables.size(); i++) {
      if (shape.elements(variables.get(i)) == 0) continue;
      Part.firstElement(calls, shape, i).put(id, element);
    }
  }

  private void defineVariable(int id, int number, Variable variable) throws NetcdfException {
    String subject = "variable '" + variable.name() + "'";
    try (Arena arena = Arena.ofConfined()) {
      int[] dimensions = variable.dimensions().stream().mapToInt(Integer::intValue).toArray();
      MemorySegment defined = arena.allocate(ValueLayout.JAVA_INT);
      calls.netcdf(
          subject,
          NativeFunction.DEF_VAR,
          number(id),
          arena.allocateFrom(variable.name()),
          number(variable.type().code()),
          number(dimensions.length),
          arena.allocateFrom(ValueLayout.JAVA_INT, dimensions),
          defined);
      if (defined.get(ValueLayout.JAVA_INT, 0) != number) {
        throw new IllegalStateException("libnetcdf does not number variables in order");
      }
      defineStorage(arena, id, number, variable);
    }
    defineAttributes(id, number, " of " + subject, variable.attributes());
  }

  private void defineStorage(Arena arena, int id, int number, Variable variable)
      throws NetcdfException {
    String subject = "variable '" + variable.name() + "'";
    boolean isDeflated = options.deflateLevel() > 0 && !variable.dimensions().isEmpty();
    if (isDeflated) {
      MemorySegment chunk = arena.allocateFrom(ValueLayout.JAVA_LONG, Chunk.shape(shape, variable));
      calls.netcdf(
          subject,
          NativeFunction.DEF_VAR_CHUNKING,
          number(id),
          number(number),
          number(CHUNKED),
          chunk);
      // Bytes of equal weight side by side deflate better; there is nothing to shuffle in one.
      int shuffle = variable.type().sizeBytes() > 1 ? 1 : 0;
      calls.netcdf(
          subject,
          NativeFunction.DEF_VAR_DEFLATE,
          number(id),
          number(number),
          number(shuffle),
          number(1),
          number(options.deflateLevel()));
    } else if (shape.elements(variable) > 0) {
      calls.netcdf(
          subject,
          NativeFunction.DEF_VAR_CHUNKING,
          number(id),
          number(number),
          number(CONTIGUOUS),
          MemorySegment.NULL);
    }
  }

  private void defineAttributes(int id, int variable, String owner, List<Attribute> attributes)
      throws NetcdfException {
    for (Attribute attribute : attributes) {
      try (Arena arena = Arena.ofConfined()) {
        calls.netcdf(
            "attribute '" + attribute.name() + "'" + owner,
            NativeFunction.PUT_ATT,
            number(id),
            number(variable),
            arena.allocateFrom(attribute.name()),
            number(attribute.type().code()),
            number(attribute.count()),
            nativeValues(arena, attribute));
      }
    }
  }

  private static MemorySegment nativeValues(Arena arena, Attribute attribute) {
    ByteBuffer values = attribute.values().asBuffer();
    ElementType type = attribute.type();
    MemorySegment copy = arena.allocate(Math.max(1, values.remaining()), type.sizeBytes());
    ByteBuffer out = copy.asByteBuffer().order(ByteOrder.nativeOrder());
    for (int i = 0; i < attribute.count(); i++) {
      switch (type.sizeBytes()) {
        case Byte.BYTES -> out.put(values.get());
        case Short.BYTES -> out.putShort(values.getShort());
        case Integer.BYTES -> out.putInt(values.getInt());
        case Long.BYTES -> out.putLong(values.getLong());
        default -> throw new IllegalStateException("no element has the size of " + type);
      }
    }
    return copy;
  }

  /** Releases and deletes a file that cannot be completed because of the failure. */
  private void discard(int id, Throwable failure) {
    int code = (int) calls.library().call(NativeFunction.ABORT, number(id));
    if (code != 0) {
      failure.addSuppressed(
          new IllegalStateException("nc_abort fails: " + calls.library().text(code)));
    }
    delete(failure);
  }

  /** Deletes a closed file that is of no use because of the failure. */
  void delete(Throwable failure) {
    try {
      Files.deleteIfExists(calls.path());
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
