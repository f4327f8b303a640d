// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Compares the elements of two variables of the same type and shape, a piece at a time. */
final class DataComparison {
  private final ElementType type;
  private final Tolerance tolerance;
  private long done;
  private long different;
  private long firstDifferent;
  private String first = "";
  private String second = "";

  private DataComparison(ElementType type, Tolerance tolerance) {
    this.type = type;
    this.tolerance = tolerance;
  }

  /** Compares all elements; null if they are the same. */
  static Difference.@Nullable Data compare(
      Elements a, Elements b, Header header, Variable variable, Settings settings)
      throws IOException {
    DataComparison comparison = new DataComparison(variable.type(), settings.tolerance());
    ByteBuffer ofA = a.next();
    ByteBuffer ofB = b.next();
    while (comparison.done < a.count()) {
      if (!ofA.hasRemaining()) ofA = a.next();
      if (!ofB.hasRemaining()) ofB = b.next();
      int bytes = Math.min(ofA.remaining(), ofB.remaining());
      comparison.piece(take(ofA, bytes), take(ofB, bytes));
      settings.progress().accept(bytes);
    }
    if (comparison.different == 0) return null;
    return new Difference.Data(
        "variable '" + variable.name() + "'",
        comparison.different,
        a.count(),
        index(comparison.firstDifferent, header, variable),
        comparison.first,
        comparison.second);
  }

  /** How to compare, and a callback for the bytes compared in each file. */
  record Settings(Tolerance tolerance, LongConsumer progress) {}

  private static ByteBuffer take(ByteBuffer from, int bytes) {
    ByteBuffer taken = from.slice(from.position(), bytes);
    from.position(from.position() + bytes);
    return taken;
  }

  private void piece(ByteBuffer a, ByteBuffer b) {
    int size = type.sizeBytes();
    while (a.hasRemaining()) {
      int same = a.mismatch(b);
      // Most pieces are equal, and need no comparison of single elements.
      int skipped = (same < 0 ? a.remaining() : same) / size;
      done += skipped;
      a.position(a.position() + skipped * size);
      b.position(b.position() + skipped * size);
      if (same < 0) return;
      element(a, b);
    }
  }

  private void element(ByteBuffer a, ByteBuffer b) {
    int at = a.position();
    if (!isSame(a, b)) {
      if (different++ == 0) {
        firstDifferent = done;
        first = text(a.position(at), type);
        second = text(b.position(at), type);
      }
    }
    a.position(at + type.sizeBytes());
    b.position(at + type.sizeBytes());
    done++;
  }

  private boolean isSame(ByteBuffer a, ByteBuffer b) {
    return switch (type) {
      case CHAR -> a.get() == b.get();
      case INT64, UINT64 -> {
        long one = a.getLong();
        long other = b.getLong();
        if (one == other || tolerance.isNone()) yield one == other;
        yield tolerance.covers(number(one), number(other));
      }
      default -> tolerance.covers(small(a, type), small(b, type));
    };
  }

  private double number(long bits) {
    if (type == ElementType.INT64 || bits >= 0) return bits;
    return 0x1p63 + (bits & Long.MAX_VALUE);
  }

  private static double small(ByteBuffer bytes, ElementType type) {
    return switch (type) {
      case BYTE -> bytes.get();
      case UBYTE -> bytes.get() & 0xff;
      case SHORT -> bytes.getShort();
      case USHORT -> bytes.getShort() & 0xffff;
      case INT -> bytes.getInt();
      case UINT -> bytes.getInt() & 0xffff_ffffL;
      case FLOAT -> bytes.getFloat();
      case DOUBLE -> bytes.getDouble();
      case CHAR, INT64, UINT64 -> throw new IllegalStateException("element of " + type);
    };
  }

  /** The next element for people. */
  static String text(ByteBuffer bytes, ElementType type) {
    return switch (type) {
      case CHAR -> {
        int c = bytes.get() & 0xff;
        yield c >= ' ' && c < 0x7f ? "'" + (char) c + "'" : "\\%03o".formatted(c);
      }
      case INT64 -> Long.toString(bytes.getLong());
      case UINT64 -> Long.toUnsignedString(bytes.getLong());
      case FLOAT -> Float.toString(bytes.getFloat());
      case DOUBLE -> Double.toString(bytes.getDouble());
      default -> Long.toString((long) small(bytes, type));
    };
  }

  private static List<Long> index(long element, Header header, Variable variable) {
    List<Long> index = new ArrayList<>();
    long left = element;
    for (int place = variable.dimensions().size() - 1; place >= 0; place--) {
      long length = header.length(variable, place);
      index.addFirst(left % length);
      left /= length;
    }
    return index;
  }
}
