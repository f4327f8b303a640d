// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libnetcdf and of its HDF5. All calls are made within {@link #exclusively}.
 *
 * <p>HDF5 is looked up through libnetcdf, whose symbols include those of the libraries that it is
 * linked to. So both always are the same HDF5, whatever a system calls its file.
 *
 * <p>All functions are called with one signature, six addresses that return a long; the class
 * {@code MpiLibrary} of module parallel explains why that works.
 */
@SuppressWarnings("restricted") // Processes are started with native access.
final class Netcdf4Library {
  /** A series of calls that no other thread interrupts. */
  interface Work<T extends @Nullable Object> {
    T run() throws NetcdfException;
  }

  static final String FILE = "libnetcdf.so.19";

  private static final String REMEDY =
      "; install libnetcdf 4.9 with its HDF5: 'apt-get install netcdf-bin' (Debian, Ubuntu), which"
          + " brings libnetcdf19 and libhdf5-103-1";

  /** How many the longest function takes. */
  private static final int ARGUMENTS_MAX = 6;

  // Ids have 64 bits from this version on.
  private static final int HDF5_MAJOR_MIN = 1;
  private static final int HDF5_MINOR_MIN = 10;

  /** Longer than any text of nc_strerror. */
  private static final long TEXT_BYTES_MAX = 4096;

  private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(uniformShape());

  // Static, since the C library has one state per process.
  private static final ReentrantLock LOCK = new ReentrantLock();

  private final Map<NativeFunction, MemorySegment> functions = new EnumMap<>(NativeFunction.class);

  private Netcdf4Library(String file, SymbolLookup symbols) throws NetcdfException {
    for (NativeFunction function : NativeFunction.values()) {
      MemorySegment address = symbols.find(function.symbol()).orElse(MemorySegment.NULL);
      if (address.equals(MemorySegment.NULL)) {
        throw unusable(file + " has no function " + function.symbol(), null);
      }
      functions.put(function, address);
    }
  }

  private static FunctionDescriptor uniformShape() {
    MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS_MAX];
    Arrays.fill(arguments, ValueLayout.ADDRESS);
    return FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments);
  }

  /** Loads the library, or finds it loaded. */
  static Netcdf4Library load(String file) throws NetcdfException {
    SymbolLookup symbols;
    try {
      symbols = SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException e) {
      throw unusable(file + " is not installed", e);
    }
    Netcdf4Library library = new Netcdf4Library(file, symbols);
    library.leaveFilesAtExit();
    library.exclusively(
        () -> {
          library.checkVersion(file);
          return null;
        });
    return library;
  }

  /**
   * Otherwise HDF5 closes all open files when the process ends. For a file whose close failed,
   * since the disk was full, that is a second close, in which HDF5 1.10 ends the process with a
   * segmentation fault. Must be the first call of HDF5; later ones change nothing.
   */
  private void leaveFilesAtExit() {
    LOCK.lock();
    try {
      call(NativeFunction.DONT_CLEAN_UP_AT_EXIT);
    } finally {
      LOCK.unlock();
    }
  }

  private void checkVersion(String file) throws NetcdfException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 3);
      MemorySegment minorAt = numbers.asSlice(Integer.BYTES);
      MemorySegment releaseAt = numbers.asSlice(2 * Integer.BYTES);
      call(NativeFunction.HDF5_VERSION, numbers, minorAt, releaseAt);
      int major = numbers.get(ValueLayout.JAVA_INT, 0);
      int minor = minorAt.get(ValueLayout.JAVA_INT, 0);
      if (major > HDF5_MAJOR_MIN || (major == HDF5_MAJOR_MIN && minor >= HDF5_MINOR_MIN)) return;
      throw unusable(
          "%s uses HDF5 %d.%d, and %d.%d or newer is needed"
              .formatted(file, major, minor, HDF5_MAJOR_MIN, HDF5_MINOR_MIN),
          null);
    }
  }

  private static NetcdfException unusable(String problem, @Nullable Throwable cause) {
    return new NetcdfException(
        NetcdfError.LIBRARY, "netCDF-4 files cannot be written: " + problem + REMEDY, cause);
  }

  /** Does the work while no other thread of this process is in the library. */
  <T extends @Nullable Object> T exclusively(Work<T> work) throws NetcdfException {
    LOCK.lock();
    try {
      // HDF5 keeps one such setting per thread. It would print its stack of errors to stderr.
      MemorySegment none = MemorySegment.NULL;
      call(NativeFunction.SET_ERROR_PRINTING, none, none, none);
      return work.run();
    } finally {
      LOCK.unlock();
    }
  }

  /** A number as an argument. */
  static MemorySegment number(long value) {
    return MemorySegment.ofAddress(value);
  }

  /**
   * Calls a function.
   *
   * @param arguments addresses and {@link #number}s
   * @return what it returns; an int is the lower half
   */
  long call(NativeFunction function, MemorySegment... arguments) {
    if (!LOCK.isHeldByCurrentThread()) throw new IllegalStateException("not called exclusively");
    MemorySegment address = functions.get(function);
    if (address == null) throw new IllegalStateException(function + " was not looked up");
    try {
      return (long)
          CALL.invokeExact(
              address,
              at(arguments, 0),
              at(arguments, 1),
              at(arguments, 2),
              at(arguments, 3),
              at(arguments, 4),
              at(arguments, 5));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of " + function.symbol(), e);
    }
  }

  private static MemorySegment at(MemorySegment[] arguments, int place) {
    return place < arguments.length ? arguments[place] : MemorySegment.NULL;
  }

  /** The library's text for an error that one of its functions returned. */
  String text(int code) {
    long address = call(NativeFunction.STRERROR, number(code));
    return MemorySegment.ofAddress(address).reinterpret(TEXT_BYTES_MAX).getString(0);
  }
}
