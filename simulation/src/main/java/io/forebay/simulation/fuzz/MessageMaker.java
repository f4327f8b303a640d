// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fuzz;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.message.Message;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of any type from their components, and changes those of given messages. Most
 * values are small or live, so that requests get far; some are at the edges of their type, or very
 * long.
 */
public final class MessageMaker {
  private static final int TRIES_MAX = 20;
  private static final int LIST_MAX = 5;

  /** The share of long lists and texts, as one in this many. */
  private static final int LONG_ONE_IN = 400;

  private static final int LONG_LIST_MAX = 300_000;
  private static final int LONG_TEXT_MAX = 2_000_000;
  private static final String[] WORDS = {
    "",
    "a",
    "b",
    "d",
    "/",
    "..",
    ".",
    "a/b",
    "d/d/d",
    "/d/",
    "\0",
    "é語😀",
    "user.x",
    "job",
    "shared",
    "private",
    "persistent",
    "ketama",
    "continue",
    "wait",
    "null:",
    "close",
    "end",
    "127.0.0.1:1"
  };
  private static final long[] EDGES = {
    0,
    1,
    2,
    3,
    -1,
    -2,
    4095,
    4096,
    65_535,
    65_536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final SplittableRandom random;
  private final LiveValues live;

  public MessageMaker(SplittableRandom random, LiveValues live) {
    this.random = random;
    this.live = live;
  }

  /** A new message of that type with generated values. */
  public Message make(Class<? extends Message> type) {
    return (Message) tried(() -> record(type));
  }

  /** The message with some of its values replaced, at any depth. */
  public Message mutate(Message message) {
    return (Message) tried(() -> changed((Record) message));
  }

  private interface Making {
    @Nullable Object make();
  }

  /** Constructors of records may refuse values. */
  private Object tried(Making making) {
    for (int i = 0; i < TRIES_MAX; i++) {
      Object made = making.make();
      if (made != null) return made;
    }
    throw new IllegalStateException("no value that a record takes was found");
  }

  private @Nullable Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = value(components[i].getName(), components[i].getGenericType());
    }
    return made(type, components, values);
  }

  private @Nullable Object changed(Record given) {
    RecordComponent[] components = given.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    int chosen = components.length == 0 ? 0 : random.nextInt(components.length);
    for (int i = 0; i < components.length; i++) {
      String name = components[i].getName();
      Object value = read(components[i], given);
      Object livingOne = live.any(name, components[i].getType(), random);
      if (i == chosen && value instanceof Record inner && random.nextInt(3) > 0) {
        value = tried(() -> changed(inner));
      } else if (i == chosen) {
        value = value(name, components[i].getGenericType());
      } else if (livingOne != null && random.nextInt(10) > 0) {
        value = livingOne;
      } else if (value instanceof Record inner && random.nextInt(2) > 0) {
        value = tried(() -> changed(inner));
      }
      values[i] = value;
    }
    return made(given.getClass(), components, values);
  }

  private static Object read(RecordComponent component, Record given) {
    try {
      return component.getAccessor().invoke(given);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(given.getClass() + " cannot be read", e);
    }
  }

  private static @Nullable Object made(
      Class<?> type, RecordComponent[] components, Object[] values) {
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) parameters[i] = components[i].getType();
    try {
      return type.getDeclaredConstructor(parameters).newInstance(values);
    } catch (InvocationTargetException refused) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + " cannot be made", e);
    }
  }

  private Object value(String name, Type type) {
    if (type instanceof ParameterizedType list) {
      return list(name, list.getActualTypeArguments()[0]);
    }
    Class<?> plain = (Class<?>) type;
    Object livingOne = live.any(name, plain, random);
    if (livingOne != null && random.nextInt(4) > 0) return livingOne;
    if (plain == int.class || plain == Integer.class) return (int) number();
    if (plain == long.class || plain == Long.class) return number();
    if (plain == boolean.class) return random.nextBoolean();
    if (plain == String.class) return text();
    if (plain == Bytes.class) return Bytes.copyOf(bytes());
    if (plain == Checksums.class) return Checksums.of(random.ints(random.nextInt(3)).toArray());
    if (plain.isEnum()) {
      return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
    }
    return tried(() -> record(plain.isInterface() ? someOf(plain) : plain));
  }

  private List<Object> list(String name, Type element) {
    if (random.nextInt(LONG_ONE_IN) == 0) {
      return Collections.nCopies(random.nextInt(LONG_LIST_MAX), value(name, element));
    }
    List<Object> values = new ArrayList<>();
    int count = random.nextInt(LIST_MAX);
    for (int i = 0; i < count; i++) values.add(value(name, element));
    return List.copyOf(values);
  }

  private long number() {
    return switch (random.nextInt(4)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> random.nextLong();
      case 2 -> random.nextLong() >>> random.nextInt(Long.SIZE);
      default -> random.nextInt(16);
    };
  }

  private String text() {
    if (random.nextInt(LONG_ONE_IN) == 0) return "x".repeat(random.nextInt(LONG_TEXT_MAX));
    if (random.nextInt(20) == 0) return "d/".repeat(random.nextInt(2048));
    String word = WORDS[random.nextInt(WORDS.length)];
    return random.nextInt(3) == 0 ? word + random.nextInt(10) : word;
  }

  private byte[] bytes() {
    byte[] content = new byte[random.nextInt(64) == 0 ? random.nextInt(70_000) : random.nextInt(9)];
    random.nextBytes(content);
    return content;
  }

  private Class<?> someOf(Class<?> bound) {
    List<Class<? extends Message>> all =
        MessageTypes.all().stream().filter(bound::isAssignableFrom).toList();
    if (all.isEmpty()) throw new IllegalArgumentException("no message is a " + bound);
    return all.get(random.nextInt(all.size()));
  }
}
