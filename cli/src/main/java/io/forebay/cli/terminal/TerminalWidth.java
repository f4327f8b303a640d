// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The number of columns of stderr's terminal, queried each time, since windows change their size.
 * Any thread.
 */
@SuppressWarnings("restricted") // The launcher enables native access.
public final class TerminalWidth implements IntSupplier {
  /** The default where the width is unknown: the classic width of terminals. */
  public static final int USUAL = 80;

  /** Linux's ioctl number; other systems refuse it, and then the default width is used. */
  private static final long TIOCGWINSZ = 0x5413;

  private static final int STDERR = 2;

  /** Of {@code struct winsize}: rows, columns, and two more, each 16 bits. */
  private static final long SIZE_BYTES = 4 * Short.BYTES;

  private static final long COLUMNS_OFFSET = Short.BYTES;

  private final @Nullable MethodHandle ioctl = find();

  private static @Nullable MethodHandle find() {
    Linker linker = Linker.nativeLinker();
    AddressLayout pointer = ValueLayout.ADDRESS;
    FunctionDescriptor shape =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, pointer);
    return linker
        .defaultLookup()
        .find("ioctl")
        .map(address -> linker.downcallHandle(address, shape, Linker.Option.firstVariadicArg(2)))
        .orElse(null);
  }

  /** Whether stderr is a terminal that reports its width. */
  public boolean isKnown() {
    return columns() > 0;
  }

  @Override
  public int getAsInt() {
    int columns = columns();
    return columns > 0 ? columns : USUAL;
  }

  /** 0 if unknown. */
  private int columns() {
    if (ioctl == null) return 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(SIZE_BYTES, Short.BYTES);
      int refused = (int) ioctl.invokeExact(STDERR, TIOCGWINSZ, size);
      int columns = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, COLUMNS_OFFSET));
      return refused == 0 ? columns : 0;
    } catch (Throwable impossible) {
      // A method handle may throw anything by its signature; this one, which calls C, does not.
      throw new IllegalStateException("ioctl", impossible);
    }
  }
}
