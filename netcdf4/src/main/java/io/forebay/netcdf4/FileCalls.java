// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** Calls for one file: a failed one becomes an exception that names file, call and reason. */
final class FileCalls {
  // Error codes of libnetcdf. Positive codes are those of the operating system.
  private static final int EXISTS = -35;
  private static final int INVALID_COORDINATES = -40;
  private static final int NAME_IN_USE = -42;
  private static final int BAD_TYPE = -45;
  private static final int EDGE = -57;
  private static final int BAD_NAME = -59;
  private static final int DIMENSION_SIZE = -63;
  private static final int HDF_ERROR = -101;
  private static final int PERMISSION_DENIED = 13;

  private final Netcdf4Library library;
  private final Path path;

  FileCalls(Netcdf4Library library, Path path) {
    this.library = library;
    this.path = path;
  }

  Netcdf4Library library() {
    return library;
  }

  Path path() {
    return path;
  }

  /** The directory that holds the file. */
  Path directory() {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  /**
   * Calls a function of libnetcdf.
   *
   * @param subject what the call is about, such as {@code variable 't'}; may be empty
   */
  void netcdf(String subject, NativeFunction function, MemorySegment... arguments)
      throws NetcdfException {
    int code = (int) library.call(function, arguments);
    if (code != 0) throw failure(subject, function, code);
  }

  private NetcdfException failure(String subject, NativeFunction function, int code) {
    String reason = library.text(code) + " (" + code + ")";
    if (code == PERMISSION_DENIED && function == NativeFunction.CREATE) {
      reason +=
          ", which libnetcdf says whenever HDF5 cannot create a file: check the rights on the"
              + " directory, its free space, and that no other open file has this name";
    }
    NetcdfError kind = kind(code);
    if (kind != NetcdfError.STORAGE) {
      return new NetcdfException(kind, sentence(subject, function, reason));
    }
    try {
      // HDF5's own reason is lost on the way through libnetcdf; a full disk is the usual one.
      long free = Files.getFileStore(directory()).getUsableSpace();
      reason += "; " + directory() + " has " + free + " bytes of free space";
      return new NetcdfException(kind, sentence(subject, function, reason));
    } catch (IOException e) {
      return new NetcdfException(kind, sentence(subject, function, reason), e);
    }
  }

  private static NetcdfError kind(int code) {
    if (code > 0) return NetcdfError.STORAGE;
    return switch (code) {
      case EXISTS -> NetcdfError.EXISTS;
      case INVALID_COORDINATES, EDGE -> NetcdfError.OUT_OF_BOUNDS;
      case NAME_IN_USE -> NetcdfError.NAME_IN_USE;
      case BAD_TYPE -> NetcdfError.BAD_TYPE;
      case BAD_NAME -> NetcdfError.BAD_NAME;
      case DIMENSION_SIZE -> NetcdfError.BAD_DIMENSION;
      case HDF_ERROR -> NetcdfError.STORAGE;
      default -> NetcdfError.LIBRARY;
    };
  }

  private String sentence(String subject, NativeFunction function, String reason) {
    String call = subject.isEmpty() ? function.symbol() : function.symbol() + " of " + subject;
    return path + ": " + call + " fails: " + reason;
  }

  /** Calls a function of HDF5 that returns an id, a size or an address. */
  long hdf5(String subject, NativeFunction function, MemorySegment... arguments)
      throws NetcdfException {
    long result = library.call(function, arguments);
    if (result < 0) throw hdf5Failure(subject, function);
    return result;
  }

  /** Calls a function of HDF5 that returns an int. */
  int hdf5Int(String subject, NativeFunction function, MemorySegment... arguments)
      throws NetcdfException {
    int result = (int) library.call(function, arguments);
    if (result < 0) throw hdf5Failure(subject, function);
    return result;
  }

  private NetcdfException hdf5Failure(String subject, NativeFunction function) {
    return new NetcdfException(
        NetcdfError.LIBRARY, sentence(subject, function, "HDF5 returns an error"));
  }
}
