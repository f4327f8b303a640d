package io.forebay.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Functions and constants of an MPI library, loaded when used. Open MPI has addresses as handles,
 * MPICH has ints; here both are longs.
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

    private MemoryLayout handle() {
      return this == OPEN_MPI ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }
  }

  /** What the launcher of each library tells the processes it starts. */
  private static final Map<String, Kind> LAUNCHED =
      Map.of("OMPI_COMM_WORLD_SIZE", Kind.OPEN_MPI, "PMI_SIZE", Kind.MPICH);

  private static final String UCX_SIGNALS = "UCX_ERROR_SIGNALS";

  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;

  static final int THREAD_MULTIPLE = 3;

  /** Longer than a status of either library. */
  static final int STATUS_BYTES = 64;

  private final Kind kind;
  private final SymbolLookup symbols;
  private final Map<String, MethodHandle> functions = new HashMap<>();

  private MpiLibrary(Kind kind, SymbolLookup symbols) {
    this.kind = kind;
    this.symbols = symbols;
  }

  /** The library whose launcher started this process; empty if none did. */
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
   * UCX, which MPI libraries may use, takes over signals when it is loaded, and ends the process
   * when one comes. Java needs them: a null pointer in compiled code is a signal first. So UCX is
   * told to take none, unless the user has told it which.
   */
  private static void leaveSignalsToJava() {
    Linker linker = Linker.nativeLinker();
    MethodHandle set =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("setenv"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(UCX_SIGNALS);
      int code = (int) set.invokeExact(name, arena.allocateFrom(""), 0);
      if (code != 0) throw new IllegalStateException("no room in the environment");
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setenv", e);
    }
  }

  /** Its plug-ins look for its functions among those that everybody sees. */
  private static void openForAll(String file) {
    Linker linker = Linker.nativeLinker();
    MethodHandle open =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("dlopen"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(file);
      MemorySegment opened = (MemorySegment) open.invokeExact(name, RTLD_NOW | RTLD_GLOBAL);
      if (opened.address() == 0) {
        throw new IllegalStateException(
            file + " cannot be loaded, though this program was started by its mpirun");
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("dlopen", e);
    }
  }

  long world() {
    return constant("ompi_mpi_comm_world", 0x44000000);
  }

  long bytes() {
    return constant("ompi_mpi_byte", 0x4c00010d);
  }

  long longs() {
    return constant("ompi_mpi_long", 0x4c000807);
  }

  long doubles() {
    return constant("ompi_mpi_double", 0x4c00080b);
  }

  long operation(Reduction reduction) {
    return switch (reduction) {
      case MAX -> constant("ompi_mpi_op_max", 0x58000001);
      case MIN -> constant("ompi_mpi_op_min", 0x58000002);
      case SUM -> constant("ompi_mpi_op_sum", 0x58000003);
    };
  }

  long noInfo() {
    return constant("ompi_mpi_info_null", 0x1c000000);
  }

  /** The kind of part of a group whose ranks share memory. */
  int sharedMemory() {
    return kind == Kind.OPEN_MPI ? 0 : 1;
  }

  private long constant(String openMpi, long mpich) {
    return kind == Kind.MPICH ? mpich : symbols.findOrThrow(openMpi).address();
  }

  /** Memory for a handle that a function returns. */
  MemorySegment handleRoom(Arena arena) {
    return arena.allocate(Long.BYTES, Long.BYTES);
  }

  long handle(MemorySegment room) {
    return kind == Kind.OPEN_MPI
        ? room.get(ValueLayout.JAVA_LONG, 0)
        : room.get(ValueLayout.JAVA_INT, 0);
  }

  void setHandle(MemorySegment room, long handle) {
    room.set(ValueLayout.JAVA_LONG, 0, handle);
  }

  /**
   * Calls a function, which ends this process if it fails: so MPI does by default.
   *
   * @param shape a letter for each argument: p an address, i an int, h a handle
   */
  void call(String function, String shape, Object... arguments) {
    MethodHandle handle = functions.computeIfAbsent(function, name -> bind(name, shape));
    int code;
    try {
      code = (int) handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(function, e);
    }
    if (code != 0) throw new IllegalStateException(function + " fails with " + code);
  }

  private MethodHandle bind(String function, String shape) {
    MemoryLayout[] layouts = new MemoryLayout[shape.length()];
    Class<?>[] types = new Class<?>[shape.length()];
    for (int i = 0; i < layouts.length; i++) {
      switch (shape.charAt(i)) {
        case 'p' -> {
          layouts[i] = ValueLayout.ADDRESS;
          types[i] = MemorySegment.class;
        }
        case 'i' -> {
          layouts[i] = ValueLayout.JAVA_INT;
          types[i] = int.class;
        }
        default -> {
          layouts[i] = kind.handle();
          types[i] = long.class;
        }
      }
    }
    MethodHandle bound =
        Linker.nativeLinker()
            .downcallHandle(
                symbols.findOrThrow(function),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
    return MethodHandles.explicitCastArguments(bound, MethodType.methodType(int.class, types));
  }
}
