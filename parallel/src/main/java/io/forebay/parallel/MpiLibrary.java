// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

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
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Functions and constants of an MPI library, loaded when used. Open MPI has addresses as handles,
 * MPICH has ints; here both are segments without a length.
 *
 * <p>All functions are called with one signature: nine addresses that return a long. The calling
 * conventions of Linux on 64 bits allow that: an int is the lower half of its register or place on
 * the stack, and a function does not look at arguments behind its own. Java generates code for each
 * signature at its first use. In a program that runs for a second, that takes longer than all
 * calls.
 */
@SuppressWarnings("restricted")
final class MpiLibrary {
  /** Which library it is. */
  enum Kind {
    OPEN_MPI("libmpi.so.40"),
    MPICH("libmpich.so.12");

    private final String file;

    Kind(String file) {
      this.file = file;
    }
  }

  /** What the launcher of each library tells the processes it starts. */
  private static final Map<String, Kind> LAUNCHED =
      Map.of("OMPI_COMM_WORLD_SIZE", Kind.OPEN_MPI, "PMI_SIZE", Kind.MPICH);

  private static final String UCX_SIGNALS = "UCX_ERROR_SIGNALS";

  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;

  static final int THREAD_MULTIPLE = 3;

  /** How many the longest function takes. */
  private static final int ARGUMENTS_MAX = 9;

  /** Longer than a status of either library. */
  static final int STATUS_BYTES = 64;

  private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(uniformShape());

  private final Kind kind;
  private final SymbolLookup symbols;
  private final Map<String, MemorySegment> functions = new ConcurrentHashMap<>();
  private final MemorySegment world;
  private final MemorySegment noInfo;
  private final MemorySegment bytes;
  private final MemorySegment longs;
  private final MemorySegment doubles;
  private final Map<Reduction, MemorySegment> operations = new EnumMap<>(Reduction.class);

  private MpiLibrary(Kind kind, SymbolLookup symbols) {
    this.kind = kind;
    this.symbols = symbols;
    world = constant("ompi_mpi_comm_world", 0x44000000);
    noInfo = constant("ompi_mpi_info_null", 0x1c000000);
    bytes = constant("ompi_mpi_byte", 0x4c00010d);
    longs = constant("ompi_mpi_long", 0x4c000807);
    doubles = constant("ompi_mpi_double", 0x4c00080b);
    operations.put(Reduction.MAX, constant("ompi_mpi_op_max", 0x58000001));
    operations.put(Reduction.MIN, constant("ompi_mpi_op_min", 0x58000002));
    operations.put(Reduction.SUM, constant("ompi_mpi_op_sum", 0x58000003));
  }

  private MemorySegment constant(String openMpi, long mpich) {
    return kind == Kind.MPICH ? number(mpich) : symbols.findOrThrow(openMpi);
  }

  private static FunctionDescriptor uniformShape() {
    MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS_MAX];
    Arrays.fill(arguments, ValueLayout.ADDRESS);
    return FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments);
  }

  /** The library that launched this process; empty if none did. */
  static Optional<Kind> launchedBy(Map<String, String> environment) {
    return LAUNCHED.entrySet().stream()
        .filter(entry -> environment.containsKey(entry.getKey()))
        .map(Map.Entry::getValue)
        // Open MPI's launcher may speak the other's protocol as well.
        .min((a, b) -> a.file.compareTo(b.file));
  }

  static MpiLibrary load(Kind kind) {
    leaveSignalsToJava();
    openForAll(kind.file);
    return new MpiLibrary(kind, SymbolLookup.libraryLookup(kind.file, Arena.global()));
  }

  /**
   * UCX, which MPI libraries may use, installs signal handlers when it is loaded, and ends the
   * process when a signal comes. Java needs signals: a null pointer in compiled code raises one. So
   * UCX is configured to handle none, unless the user has configured it.
   */
  private static void leaveSignalsToJava() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(UCX_SIGNALS);
      int code = (int) callSystem("setenv", name, arena.allocateFrom(""), number(0));
      if (code != 0) throw new IllegalStateException("no room in the environment");
    }
  }

  /** Its plug-ins look up its functions among the global symbols. */
  private static void openForAll(String file) {
    try (Arena arena = Arena.ofConfined()) {
      long opened = callSystem("dlopen", arena.allocateFrom(file), number(RTLD_NOW | RTLD_GLOBAL));
      if (opened == 0) {
        throw new IllegalStateException(
            file + " cannot be loaded, though this program was started by its mpirun");
      }
    }
  }

  private static long callSystem(String function, MemorySegment... arguments) {
    return call(Linker.nativeLinker().defaultLookup().findOrThrow(function), arguments);
  }

  MemorySegment world() {
    return world;
  }

  MemorySegment bytes() {
    return bytes;
  }

  MemorySegment longs() {
    return longs;
  }

  MemorySegment doubles() {
    return doubles;
  }

  MemorySegment operation(Reduction reduction) {
    MemorySegment operation = operations.get(reduction);
    if (operation == null) throw new IllegalStateException("nothing does " + reduction);
    return operation;
  }

  MemorySegment noInfo() {
    return noInfo;
  }

  /** The split type for ranks that share memory. */
  MemorySegment sharedMemory() {
    return number(kind == Kind.OPEN_MPI ? 0 : 1);
  }

  /** Memory for a handle that a function returns. */
  MemorySegment handleRoom(Arena arena) {
    return arena.allocate(Long.BYTES, Long.BYTES);
  }

  MemorySegment handle(MemorySegment room) {
    return number(
        kind == Kind.OPEN_MPI
            ? room.get(ValueLayout.JAVA_LONG, 0)
            : room.get(ValueLayout.JAVA_INT, 0));
  }

  void setHandle(MemorySegment room, MemorySegment handle) {
    room.set(ValueLayout.JAVA_LONG, 0, handle.address());
  }

  /** A number as an argument. */
  static MemorySegment number(long value) {
    return MemorySegment.ofAddress(value);
  }

  /**
   * Calls a function, which ends this process if it fails: so MPI does by default.
   *
   * @param arguments addresses, handles and {@link #number}s
   */
  void call(String function, MemorySegment... arguments) {
    MemorySegment address = functions.get(function);
    if (address == null) address = functions.computeIfAbsent(function, symbols::findOrThrow);
    int code = (int) call(address, arguments);
    if (code != 0) throw new IllegalStateException(function + " fails with " + code);
  }

  private static long call(MemorySegment function, MemorySegment... arguments) {
    try {
      return (long)
          CALL.invokeExact(
              function,
              at(arguments, 0),
              at(arguments, 1),
              at(arguments, 2),
              at(arguments, 3),
              at(arguments, 4),
              at(arguments, 5),
              at(arguments, 6),
              at(arguments, 7),
              at(arguments, 8));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a function of C", e);
    }
  }

  private static MemorySegment at(MemorySegment[] arguments, int place) {
    return place < arguments.length ? arguments[place] : MemorySegment.NULL;
  }
}
