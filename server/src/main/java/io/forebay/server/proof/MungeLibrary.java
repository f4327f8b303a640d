// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The calls of libmunge, which is loaded with this class; without it the class cannot be used. */
final class MungeLibrary {
  static final String FILE = "libmunge.so.2";

  private static final SymbolLookup LIBRARY = load();

  private static final MethodHandle ENCODE =
      call(
          "munge_encode",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT));
  private static final MethodHandle DECODE =
      call(
          "munge_decode",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS));
  private static final MethodHandle MESSAGE =
      call("munge_strerror", FunctionDescriptor.of(NativeText.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle CONTEXT =
      call("munge_ctx_create", FunctionDescriptor.of(ValueLayout.ADDRESS));
  private static final MethodHandle SET =
      call(
          "munge_ctx_set",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle END =
      call("munge_ctx_destroy", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
  private static final MethodHandle FREE =
      handle(
          Linker.nativeLinker().defaultLookup().findOrThrow("free"),
          FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  private MungeLibrary() {}

  /** A context; {@link #end} frees it. */
  static MemorySegment context() {
    try {
      return (MemorySegment) CONTEXT.invokeExact();
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static int set(MemorySegment context, int option, MemorySegment text) {
    try {
      return (int) SET.invokeExact(context, option, text);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static void end(MemorySegment context) {
    try {
      END.invokeExact(context);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static int encode(MemorySegment made, MemorySegment context, MemorySegment payload, int bytes) {
    try {
      return (int) ENCODE.invokeExact(made, context, payload, bytes);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Decodes a credential.
   *
   * @param payload gets the address of its content, and {@code bytes} the length of that
   */
  static int decode(
      MemorySegment credential,
      MemorySegment context,
      MemorySegment payload,
      MemorySegment bytes,
      MemorySegment user,
      MemorySegment group) {
    try {
      return (int) DECODE.invokeExact(credential, context, payload, bytes, user, group);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static String message(int error) {
    try {
      return ((MemorySegment) MESSAGE.invokeExact(error)).getString(0);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Frees what the library gave. */
  static void free(MemorySegment given) {
    try {
      FREE.invokeExact(given);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static RuntimeException broken(Throwable e) {
    if (e instanceof RuntimeException same) return same;
    if (e instanceof Error same) throw same;
    return new IllegalStateException("libmunge", e);
  }

  @SuppressWarnings("restricted") // Processes are started with native access.
  private static SymbolLookup load() {
    return SymbolLookup.libraryLookup(FILE, Arena.global());
  }

  private static MethodHandle call(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return handle(LIBRARY.findOrThrow(name), descriptor, options);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(
      MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(address, descriptor, options);
  }
}
