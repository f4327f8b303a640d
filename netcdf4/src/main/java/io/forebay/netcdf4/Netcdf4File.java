// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static io.forebay.netcdf4.Netcdf4Library.number;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A netCDF-4 file that is written. A {@link Header} describes it: dimensions, variables and
 * attributes are defined in its order, and its unlimited dimension gets the fixed length of its
 * record count. Unwritten elements are zeros; in a deflated file they are fill values.
 *
 * <p>There are two ways to write one. {@link #create} opens a file that one process fills through
 * the library. {@link #createContiguous} makes a file with room for all variables and tells where
 * that room is, so that many processes can fill it at the same time without the library.
 *
 * <p>Any thread may call. All files of a process take turns in the library.
 */
public final class Netcdf4File implements AutoCloseable {
  private enum State {
    OPEN,
    /** A write or sync failed, so the file is incomplete. */
    BROKEN,
    CLOSED
  }

  private final FileCalls calls;
  private final FixedShape shape;
  private final int id;
  // Both change in exclusive work only.
  private State state = State.OPEN;
  private @Nullable NetcdfException failure;

  private Netcdf4File(FileCalls calls, FixedShape shape, int id) {
    this.calls = calls;
    this.shape = shape;
    this.id = id;
  }

  /** Why this machine cannot write netCDF-4 files, and the remedy; empty if it can. */
  public static Optional<String> problem() {
    try {
      Netcdf4Library.load(Netcdf4Library.FILE);
      return Optional.empty();
    } catch (NetcdfException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Creates a file and defines all that is in the header.
   *
   * @throws NetcdfException if that fails; a file that it began is deleted
   */
  public static Netcdf4File create(Path path, Header header, Netcdf4Options options)
      throws NetcdfException {
    FixedShape shape = shape(path, header);
    FileCalls calls = calls(path);
    return calls
        .library()
        .exclusively(
            () -> new Netcdf4File(calls, shape, new NewFile(calls, shape, options).create()));
  }

  private static FixedShape shape(Path path, Header header) throws NetcdfException {
    try {
      return FixedShape.of(header);
    } catch (NetcdfException e) {
      throw new NetcdfException(e.error(), path + ": " + e.getMessage(), e);
    }
  }

  private static FileCalls calls(Path path) throws NetcdfException {
    return new FileCalls(Netcdf4Library.load(Netcdf4Library.FILE), path.toAbsolutePath());
  }

  /**
   * Creates a file whose variables are contiguous, allocated and not filled, and closes it. The
   * file is sparse: a disk without room for it shows when its bytes are written.
   *
   * <ol>
   *   <li>Create and define the file.
   *   <li>Write one element of each variable, since HDF5 allocates a variable at its first write.
   *   <li>Close the file, which writes all addresses and sets the length.
   *   <li>Read the addresses and check them.
   * </ol>
   *
   * @param options without deflate: deflated bytes have no place known beforehand
   * @throws NetcdfException if that fails; a file that it began is deleted
   */
  public static RawLayout createContiguous(Path path, Header header, Netcdf4Options options)
      throws NetcdfException {
    if (options.deflateLevel() != 0) {
      throw new IllegalArgumentException("deflated variables are not contiguous");
    }
    FixedShape shape = shape(path, header);
    FileCalls calls = calls(path);
    return calls.library().exclusively(() -> createContiguous(calls, shape, options));
  }

  private static RawLayout createContiguous(
      FileCalls calls, FixedShape shape, Netcdf4Options options) throws NetcdfException {
    NewFile made = new NewFile(calls, shape, options);
    int id = made.create(); // 1 and 2
    try {
      calls.netcdf("", NativeFunction.CLOSE, number(id)); // 3
      return new StoragePlaces(calls, shape, options.alignmentBytes()).read(); // 4
    } catch (NetcdfException | RuntimeException | Error e) {
      made.delete(e);
      throw e;
    }
  }

  /**
   * Writes a part of a variable. After a failure the file is broken: HDF5 may drop what it could
   * not write, and later calls for this file fail.
   *
   * @param variable its place in the header
   * @param start the first element along each dimension; empty for a scalar
   * @param count how many elements along each dimension
   * @param bytes native memory with exactly these elements, row by row, in the byte order of this
   *     machine
   */
  public void write(int variable, long[] start, long[] count, MemorySegment bytes)
      throws NetcdfException {
    if (!bytes.isNative()) throw new IllegalArgumentException("the bytes are on Java's heap");
    if (variable < 0 || variable >= shape.variables().size()) {
      throw refusal(NetcdfError.NOT_FOUND, "there is no variable number " + variable);
    }
    Variable written = shape.variables().get(variable);
    Part part = new Part(calls, shape, variable, start, count);
    long elements = part.elements();
    long expectedBytes = elements * written.type().sizeBytes();
    if (bytes.byteSize() != expectedBytes) {
      throw refusal(
          NetcdfError.WRONG_LENGTH,
          "%d bytes for a part of variable '%s' that has %d"
              .formatted(bytes.byteSize(), written.name(), expectedBytes));
    }
    if (elements == 0) return;
    change(() -> part.put(id, bytes));
  }

  private NetcdfException refusal(NetcdfError error, String problem) {
    return new NetcdfException(error, calls.path() + ": " + problem);
  }

  /** Hands all that was written to the operating system. */
  public void sync() throws NetcdfException {
    change(() -> calls.netcdf("", NativeFunction.SYNC, number(id)));
  }

  private interface Change {
    void run() throws NetcdfException;
  }

  private void change(Change change) throws NetcdfException {
    calls
        .library()
        .exclusively(
            () -> {
              if (state == State.BROKEN) throw incomplete();
              if (state == State.CLOSED) throw refusal(NetcdfError.WRONG_MODE, "it is closed");
              try {
                change.run();
              } catch (NetcdfException e) {
                state = State.BROKEN;
                failure = e;
                throw e;
              }
              return null;
            });
  }

  private NetcdfException incomplete() {
    String reason = failure == null ? "unknown" : String.valueOf(failure.getMessage());
    return new NetcdfException(
        NetcdfError.STORAGE,
        calls.path() + " is incomplete, since an earlier call failed: " + reason,
        failure);
  }

  /**
   * Writes what is left and closes the file; does nothing if it is closed.
   *
   * @throws NetcdfException if the file is incomplete: this call or an earlier one failed. HDF5
   *     keeps a file open and locked that it cannot flush, until this process ends.
   */
  @Override
  public void close() throws NetcdfException {
    calls
        .library()
        .exclusively(
            () -> {
              if (state == State.CLOSED) return null;
              boolean wasBroken = state == State.BROKEN;
              state = State.CLOSED;
              // Once only: HDF5 may crash in a second attempt to close a file.
              calls.netcdf("", NativeFunction.CLOSE, number(id));
              // libnetcdf closes a file without an error even if a write to it failed.
              if (wasBroken) throw incomplete();
              return null;
            });
  }
}
