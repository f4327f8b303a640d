// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.fields;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads records by their components, worked out once per type. A component is an int, a
 * long, a boolean, a text, {@link Bytes}, {@link Checksums}, an enum, a record, a list of those, or
 * an interface whose records have {@link Numbers}. Any thread.
 */
public final class RecordFields {
  /** The number of each record type where several are possible. */
  public interface Numbers {
    /** For records that contain no interface. */
    Numbers NONE =
        new Numbers() {
          @Override
          public int code(Class<?> type) {
            throw new IllegalArgumentException(type + " has no number");
          }

          @Override
          public @Nullable Class<?> type(int code) {
            return null;
          }
        };

    int code(Class<?> type);

    /** The type of that number, or null. */
    @Nullable Class<?> type(int code);
  }

  /** Writes and reads values of one type. */
  private abstract static class Shape {
    /** No value takes fewer bytes, so that a count can be checked before memory is taken. */
    abstract int bytesMin();

    abstract void write(Object value, FieldWriter out);

    abstract Object read(FieldReader in) throws MalformedFields;
  }

  private interface Put {
    void put(Object value, FieldWriter out);
  }

  private interface Get {
    Object get(FieldReader in) throws MalformedFields;
  }

  private final Numbers numbers;
  private final ClassValue<Shape> records =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return new RecordShape(type);
        }
      };

  public RecordFields(Numbers numbers) {
    this.numbers = numbers;
  }

  /** Appends the fields of a record. */
  public void write(Record value, FieldWriter out) {
    of(value.getClass()).write(value, out);
  }

  /** Takes a record of that type. */
  public <T> T read(Class<T> type, FieldReader in) throws MalformedFields {
    return type.cast(of(type).read(in));
  }

  /** Appends a record with its number in front. */
  public void writeNumbered(Object value, FieldWriter out) {
    out.putShort(numbers.code(value.getClass()));
    of(value.getClass()).write(value, out);
  }

  /** Takes a record with its number in front, which must be of that type or implement it. */
  public <T> T readNumbered(Class<T> bound, FieldReader in) throws MalformedFields {
    int code = in.getShort();
    Class<?> type = numbers.type(code);
    if (type == null || !bound.isAssignableFrom(type)) {
      throw new MalformedFields("no " + bound.getSimpleName() + " has number " + code);
    }
    return bound.cast(of(type).read(in));
  }

  private Shape of(Class<?> record) {
    return records.get(record);
  }

  private Shape ofField(Type type) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return new ListShape(ofField(list.getActualTypeArguments()[0]));
    }
    if (!(type instanceof Class<?> plain)) throw unknown(type);
    if (plain == int.class || plain == Integer.class) {
      return simple(Integer.BYTES, (v, out) -> out.putInt((Integer) v), FieldReader::getInt);
    }
    if (plain == long.class || plain == Long.class) {
      return simple(Long.BYTES, (v, out) -> out.putLong((Long) v), FieldReader::getLong);
    }
    if (plain == boolean.class) {
      return simple(Byte.BYTES, (v, out) -> out.putBoolean((Boolean) v), FieldReader::getBoolean);
    }
    if (plain == String.class) {
      return simple(Integer.BYTES, (v, out) -> out.putText((String) v), FieldReader::getText);
    }
    if (plain == Bytes.class) {
      return simple(
          Integer.BYTES,
          (v, out) -> out.putBytes(((Bytes) v).asBuffer()),
          in -> Bytes.copyOf(in.getBytes()));
    }
    if (plain == Checksums.class) {
      return simple(
          Integer.BYTES, (v, out) -> out.putChecksums((Checksums) v), FieldReader::getChecksums);
    }
    if (plain.isEnum()) return new EnumShape(plain);
    if (plain.isRecord()) return new NestedShape(plain);
    if (plain.isInterface()) return new NumberedShape(plain);
    throw unknown(type);
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException("no component can be a " + type);
  }

  private static Shape simple(int bytesMin, Put put, Get get) {
    return new Shape() {
      @Override
      int bytesMin() {
        return bytesMin;
      }

      @Override
      void write(Object value, FieldWriter out) {
        put.put(value, out);
      }

      @Override
      Object read(FieldReader in) throws MalformedFields {
        return get.get(in);
      }
    };
  }

  private static final class ListShape extends Shape {
    private final Shape element;

    ListShape(Shape element) {
      this.element = element;
    }

    @Override
    int bytesMin() {
      return Integer.BYTES;
    }

    @Override
    void write(Object value, FieldWriter out) {
      List<?> list = (List<?>) value;
      out.putInt(list.size());
      for (Object each : list) element.write(each, out);
    }

    @Override
    Object read(FieldReader in) throws MalformedFields {
      int count = in.getCount(element.bytesMin());
      List<Object> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) list.add(element.read(in));
      return List.copyOf(list);
    }
  }

  private static final class EnumShape extends Shape {
    private final Object[] constants;
    private final Class<?> type;

    EnumShape(Class<?> type) {
      this.type = type;
      this.constants = type.getEnumConstants();
    }

    @Override
    int bytesMin() {
      return Byte.BYTES;
    }

    @Override
    void write(Object value, FieldWriter out) {
      int index = 0;
      while (!constants[index].equals(value)) index++;
      out.putByte(index);
    }

    @Override
    Object read(FieldReader in) throws MalformedFields {
      int index = Byte.toUnsignedInt(in.getByte());
      if (index >= constants.length) {
        throw new MalformedFields("no " + type.getSimpleName() + " has number " + index);
      }
      return constants[index];
    }
  }

  /** A record inside a record, looked up when it is first needed. */
  private final class NestedShape extends Shape {
    private final Class<?> type;

    NestedShape(Class<?> type) {
      this.type = type;
    }

    @Override
    int bytesMin() {
      return of(type).bytesMin();
    }

    @Override
    void write(Object value, FieldWriter out) {
      of(type).write(value, out);
    }

    @Override
    Object read(FieldReader in) throws MalformedFields {
      return of(type).read(in);
    }
  }

  /** One of several records, its number in front. */
  private final class NumberedShape extends Shape {
    private final Class<?> bound;

    NumberedShape(Class<?> bound) {
      this.bound = bound;
    }

    @Override
    int bytesMin() {
      return Short.BYTES;
    }

    @Override
    void write(Object value, FieldWriter out) {
      writeNumbered(value, out);
    }

    @Override
    Object read(FieldReader in) throws MalformedFields {
      return readNumbered(bound, in);
    }
  }

  private final class RecordShape extends Shape {
    private final Class<?> type;
    private final Shape[] shapes;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;
    private final int bytesMin;

    RecordShape(Class<?> type) {
      this.type = type;
      RecordComponent[] components = type.getRecordComponents();
      if (components == null) throw unknown(type);
      shapes = new Shape[components.length];
      accessors = new MethodHandle[components.length];
      Class<?>[] parameters = new Class<?>[components.length];
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      try {
        for (int i = 0; i < components.length; i++) {
          shapes[i] = ofField(components[i].getGenericType());
          parameters[i] = components[i].getType();
          accessors[i] =
              lookup
                  .unreflect(components[i].getAccessor())
                  .asType(MethodType.methodType(Object.class, Object.class));
        }
        constructor =
            lookup
                .findConstructor(type, MethodType.methodType(void.class, parameters))
                .asSpreader(Object[].class, parameters.length)
                .asType(MethodType.methodType(Object.class, Object[].class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(type + " and its components must be public", e);
      }
      int sum = 0;
      for (Shape shape : shapes) sum += shape.bytesMin();
      bytesMin = sum;
    }

    @Override
    int bytesMin() {
      return bytesMin;
    }

    @Override
    void write(Object value, FieldWriter out) {
      for (int i = 0; i < shapes.length; i++) {
        shapes[i].write(invoke(accessors[i], value), out);
      }
    }

    @Override
    Object read(FieldReader in) throws MalformedFields {
      Object[] values = new Object[shapes.length];
      for (int i = 0; i < shapes.length; i++) values[i] = shapes[i].read(in);
      try {
        return invoke(constructor, values);
      } catch (IllegalArgumentException e) {
        throw new MalformedFields(type.getSimpleName() + ": " + e.getMessage(), e);
      }
    }

    private Object invoke(MethodHandle handle, Object argument) {
      try {
        return argument instanceof Object[] array
            ? (Object) handle.invokeExact(array)
            : (Object) handle.invokeExact(argument);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("a record's own method failed", e);
      }
    }
  }
}
