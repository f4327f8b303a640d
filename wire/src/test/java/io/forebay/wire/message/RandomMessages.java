// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.testing.TestSeed;
import io.forebay.wire.codec.MessageTypes;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes messages of any type with random content, by their components. */
public final class RandomMessages {
  private static final String[] LETTERS = {"a", "Z", "0", "/", " ", "\n", "\0", "é", "語", "😀"};
  private static final int LENGTH_MAX = 6;

  private final SplittableRandom random;

  public RandomMessages(SplittableRandom random) {
    this.random = random;
  }

  /** A seed that is printed, and taken from {@code -Dforebay.seed} if that is given. */
  public static long seed(Class<?> test) {
    long seed = TestSeed.first(test.getSimpleName());
    System.out.println(test.getSimpleName() + ": -Dforebay.seed=" + seed);
    return seed;
  }

  public Message any() {
    List<Class<? extends Message>> all = MessageTypes.all();
    return of(all.get(random.nextInt(all.size())));
  }

  public Message of(Class<? extends Message> type) {
    return (Message) record(type);
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      parameters[i] = components[i].getType();
      values[i] = value(components[i].getGenericType());
    }
    try {
      return type.getDeclaredConstructor(parameters).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + " cannot be made", e);
    }
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType list) {
      List<Object> values = new ArrayList<>();
      int count = random.nextInt(LENGTH_MAX);
      for (int i = 0; i < count; i++) values.add(value(list.getActualTypeArguments()[0]));
      return List.copyOf(values);
    }
    Class<?> plain = (Class<?>) type;
    if (plain == int.class || plain == Integer.class) return random.nextInt();
    if (plain == long.class || plain == Long.class) return random.nextLong();
    if (plain == boolean.class) return random.nextBoolean();
    if (plain == String.class) return text();
    if (plain == Bytes.class) return bytes();
    if (plain == Checksums.class) return checksums();
    if (plain.isEnum()) {
      return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
    }
    return record(plain.isInterface() ? someOf(plain) : plain);
  }

  private Class<?> someOf(Class<?> bound) {
    List<Class<? extends Message>> all =
        MessageTypes.all().stream().filter(bound::isAssignableFrom).toList();
    return all.get(random.nextInt(all.size()));
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(LENGTH_MAX);
    for (int i = 0; i < count; i++) text.append(LETTERS[random.nextInt(LETTERS.length)]);
    return text.toString();
  }

  private Bytes bytes() {
    byte[] content = new byte[random.nextInt(LENGTH_MAX)];
    random.nextBytes(content);
    return Bytes.copyOf(content);
  }

  private Checksums checksums() {
    return Checksums.of(random.ints(random.nextInt(LENGTH_MAX)).toArray());
  }
}
