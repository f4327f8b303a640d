// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.data.Mapping;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A program that does things at random, the same ones for the same seed and number of ranks, and
 * compares what it reads with a model. Every rank draws the choices of all ranks, so that each has
 * the whole model.
 */
final class RandomProgram {
  private static final int RECORDS_MAX = 5;

  private final Group group;
  private final String name;
  private final Hints hints;
  private final SplittableRandom random;
  private final Model model = new Model();
  private final Format format;
  private final boolean syncsBeforeReads;
  private NetcdfFile file;
  private int nextValue;

  private RandomProgram(
      Group group, String name, Hints hints, long seed, boolean syncsBeforeReads) {
    this.syncsBeforeReads = syncsBeforeReads;
    this.group = group;
    this.name = name;
    this.hints = hints;
    random = new SplittableRandom(seed);
    format = List.of(Format.values()).get(random.nextInt(3));
  }

  static void run(Group group, String name, Hints hints, long seed, int steps) throws IOException {
    run(group, name, hints, seed, steps, false);
  }

  static void run(
      Group group, String name, Hints hints, long seed, int steps, boolean syncsBeforeReads)
      throws IOException {
    RandomProgram program = new RandomProgram(group, name, hints, seed, syncsBeforeReads);
    program.begin();
    for (int i = 0; i < steps; i++) program.step();
    program.end();
  }

  private void begin() throws IOException {
    file = NetcdfFile.create(group, name, format, CreateMode.REPLACE, hints);
    file.defineDimension("time", Dimension.UNLIMITED);
    for (int i = 0; i < 4; i++) file.defineDimension("d" + i, 1 + random.nextInt(7));
    int variables = 1 + random.nextInt(5);
    for (int i = 0; i < variables; i++) defineVariable();
    file.endDefine();
  }

  private void defineVariable() throws IOException {
    int number = file.header().variables().size();
    while (hasVariable("v" + number)) number++;
    List<DimensionId> along = new ArrayList<>();
    if (random.nextInt(2) == 0) along.add(new DimensionId(0));
    int more = random.nextInt(4);
    for (int i = 0; i < more; i++) along.add(new DimensionId(1 + random.nextInt(4)));
    ElementType[] types = ElementType.values();
    ElementType type = types[random.nextInt(format == Format.CDF5 ? types.length : 6)];
    VariableId id = file.defineVariable("v" + number, type, along.toArray(DimensionId[]::new));
    boolean record = !along.isEmpty() && along.getFirst().index() == 0;
    if (!record && type == ElementType.INT && random.nextBoolean()) {
      file.putAttribute(id, Attribute.ofInts(Attribute.FILL_VALUE, -5));
      file.defineFill(id, true);
      model.fill("v" + number, -5);
    }
  }

  private boolean hasVariable(String wanted) {
    try {
      return file.variable(wanted).index() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void step() throws IOException {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> putAll();
      case 4, 5 -> postAndWait();
      case 6 -> putAlone();
      case 7 -> redefine();
      case 8 -> file.sync();
      case 9 -> reopen();
      default -> getAll();
    }
  }

  private record Choice(VariableId variable, Selection selection, Values values) {}

  private void putAll() throws IOException {
    Variable variable = anyVariable();
    Choice own = null;
    for (int rank = 0; rank < group.size(); rank++) {
      Choice choice = choosePut(variable);
      if (rank == group.rank()) own = choice;
    }
    file.putAll(own.variable, own.selection, own.values);
  }

  private void postAndWait() throws IOException {
    // Rank by rank, since the highest wins, and in the order in which they are posted.
    List<Choice> own = new ArrayList<>();
    for (int rank = 0; rank < group.size(); rank++) {
      int requests = random.nextInt(4);
      for (int i = 0; i < requests; i++) {
        Choice choice = choosePut(anyVariable());
        if (rank == group.rank()) own.add(choice);
      }
    }
    for (Choice choice : own) file.postPut(choice.variable, choice.selection, choice.values);
    file.waitAll();
  }

  private void putAlone() throws IOException {
    int writer = random.nextInt(group.size());
    Choice choice = choosePut(anyVariable());
    if (group.rank() == writer) file.put(choice.variable, choice.selection, choice.values);
    file.flush();
    assertThat(file.header().recordCount()).isEqualTo(model.records);
  }

  private void redefine() throws IOException {
    file.redefine();
    if (random.nextBoolean()) {
      file.putAttribute(Attribute.text("a" + random.nextInt(9), "x".repeat(random.nextInt(300))));
    }
    if (random.nextBoolean()) defineVariable();
    file.endDefine();
  }

  private void reopen() throws IOException {
    file.close();
    file = NetcdfFile.open(group, name, OpenMode.WRITE, hints);
    assertThat(file.header().recordCount()).isEqualTo(model.records);
  }

  private void getAll() throws IOException {
    // A log shows other ranks' writes only when they are in the file.
    if (syncsBeforeReads) file.flush();
    Variable variable = anyVariable();
    VariableId id = file.variable(variable.name());
    List<Subarray> parts = new ArrayList<>();
    ElementType type = memoryType(variable);
    for (int rank = 0; rank < group.size(); rank++) {
      boolean empty = file.header().isRecord(variable) && model.records == 0;
      Subarray part = empty ? null : part(variable, model.records);
      boolean twice = random.nextInt(4) == 0;
      if (rank != group.rank() || part == null) continue;
      parts.add(part);
      if (twice) parts.add(part);
    }
    int[] expected = new int[0];
    for (Subarray part : parts) {
      int[] values = model.get(variable, part);
      int old = expected.length;
      expected = Arrays.copyOf(expected, old + values.length);
      System.arraycopy(values, 0, expected, old, values.length);
    }
    Values target = memory(type, expected.length);
    file.getAll(id, Selection.list(parts), target);
    assertThat(numbers(target)).as("%s %s", variable, parts).isEqualTo(expected);
  }

  private void end() throws IOException {
    file.close();
    file = NetcdfFile.open(group, name, OpenMode.READ, hints);
    Header header = file.header();
    assertThat(header.recordCount()).isEqualTo(model.records);
    for (Variable variable : header.variables()) {
      int dimensions = variable.dimensions().size();
      long[] count = new long[dimensions];
      for (int d = 0; d < dimensions; d++) count[d] = header.length(variable, d);
      Subarray whole = Subarray.of(new long[dimensions], count);
      Values target = memory(memoryType(variable), whole.elements());
      file.get(file.variable(variable.name()), Selection.all(), target);
      assertThat(numbers(target)).as(variable.toString()).isEqualTo(model.get(variable, whole));
    }
    file.close();
  }

  private Variable anyVariable() {
    List<Variable> variables = file.header().variables();
    return variables.get(random.nextInt(variables.size()));
  }

  /** Draws a part and its values, and enters them into the model. */
  private Choice choosePut(Variable variable) throws IOException {
    Header header = file.header();
    VariableId id = file.variable(variable.name());
    ElementType type = memoryType(variable);
    int kind = random.nextInt(6);
    if (kind == 0) return new Choice(id, Selection.none(), memory(type, 0));
    List<Subarray> parts = new ArrayList<>();
    int count = kind == 1 ? 1 + random.nextInt(3) : 1;
    for (int i = 0; i < count; i++) parts.add(part(variable, RECORDS_MAX));
    int total = 0;
    for (Subarray part : parts) total += (int) part.elements();
    int[] values = new int[total];
    for (int i = 0; i < total; i++) values[i] = 1 + nextValue++ % 100;
    int from = 0;
    for (Subarray part : parts) {
      int to = from + (int) part.elements();
      model.put(header, variable, part, Arrays.copyOfRange(values, from, to));
      from = to;
    }
    if (kind != 2) return new Choice(id, Selection.list(parts), valuesOf(type, values));
    return mapped(id, parts.getFirst(), type, values);
  }

  /** The same values turned on their side: the first dimension is the fastest in memory. */
  private static Choice mapped(VariableId id, Subarray part, ElementType type, int[] values) {
    long[] distance = new long[part.dimensions()];
    long next = 1;
    for (int d = 0; d < distance.length; d++) {
      distance[d] = next;
      next *= part.count(d);
    }
    Mapping mapping = Mapping.of(distance);
    Values scattered = memory(type, values.length);
    mapping.scatter(valuesOf(type, values), scattered, part);
    return new Choice(id, Selection.mapped(part, mapping), scattered);
  }

  private Subarray part(Variable variable, long records) {
    Header header = file.header();
    int dimensions = variable.dimensions().size();
    long[] start = new long[dimensions];
    long[] count = new long[dimensions];
    long[] stride = new long[dimensions];
    for (int d = 0; d < dimensions; d++) {
      boolean record = d == 0 && header.isRecord(variable);
      long length = record ? records : header.length(variable, d);
      start[d] = random.nextLong(length);
      stride[d] = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
      count[d] = 1 + random.nextLong((length - 1 - start[d]) / stride[d] + 1);
    }
    return Subarray.strided(start, count, stride);
  }

  /** Any type that numbers can be converted from; ranks need not agree. */
  private ElementType memoryType(Variable variable) {
    if (variable.type() == ElementType.CHAR) return ElementType.CHAR;
    ElementType[] numbers = {
      ElementType.BYTE, ElementType.SHORT, ElementType.INT,
      ElementType.FLOAT, ElementType.DOUBLE, ElementType.INT64
    };
    return numbers[random.nextInt(numbers.length)];
  }

  private static Values memory(ElementType type, long elements) {
    MemorySegment memory = Arena.ofAuto().allocate(elements * type.sizeBytes(), 8);
    return Values.of(memory, type);
  }

  private static Values valuesOf(ElementType type, int[] values) {
    Values target = memory(type, values.length);
    for (int i = 0; i < values.length; i++) set(target, i, values[i]);
    return target;
  }

  private static void set(Values target, long i, int value) {
    MemorySegment memory = target.memory();
    assertThat(target.order()).isEqualTo(ByteOrder.nativeOrder());
    switch (target.type()) {
      case FLOAT -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
      case DOUBLE -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      case BYTE, CHAR -> memory.setAtIndex(ValueLayout.JAVA_BYTE, i, (byte) value);
      case SHORT -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
      case INT -> memory.setAtIndex(ValueLayout.JAVA_INT, i, value);
      default -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, value);
    }
  }

  private static int[] numbers(Values values) {
    int[] numbers = new int[(int) values.count()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values.type().isFraction() ? (int) values.fraction(i) : (int) values.integer(i);
    }
    return numbers;
  }
}
