// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Names;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Definitions in progress, each checked when it is made. */
final class Definitions {
  /** More entries than any program needs. */
  private static final int ENTRIES_MAX = 1 << 20;

  private static final int DIMENSIONS_OF_VARIABLE_MAX = 1024;

  private final Header before;
  private final List<Dimension> dimensions;
  private final List<Attribute> attributes;
  private final List<Variable> variables;
  private final Set<Integer> filled = new TreeSet<>();

  Definitions(Header header) {
    before = header;
    dimensions = new ArrayList<>(header.dimensions());
    attributes = new ArrayList<>(header.attributes());
    variables = new ArrayList<>(header.variables());
  }

  DimensionId dimension(String name, long length) throws NetcdfException {
    String checked = Names.checked(name);
    for (Dimension other : dimensions) {
      if (other.name().equals(checked)) throw inUse("dimension", name);
      if (other.isUnlimited() && length == Dimension.UNLIMITED) {
        throw badDimension("'%s' and '%s' cannot both be unlimited".formatted(other.name(), name));
      }
    }
    if (length < 0 || length > before.format().dimensionMax()) {
      throw badDimension("dimension '%s' of length %d".formatted(name, length));
    }
    requireRoom(dimensions);
    dimensions.add(new Dimension(checked, length));
    return new DimensionId(dimensions.size() - 1);
  }

  VariableId variable(String name, ElementType type, List<DimensionId> along)
      throws NetcdfException {
    String checked = Names.checked(name);
    for (Variable other : variables) {
      if (other.name().equals(checked)) throw inUse("variable", name);
    }
    requireType(type);
    if (along.size() > DIMENSIONS_OF_VARIABLE_MAX) {
      throw badDimension("variable '" + name + "' has more dimensions than a file can have");
    }
    List<Integer> numbers = new ArrayList<>();
    for (DimensionId id : along) {
      if (id.index() < 0 || id.index() >= dimensions.size()) {
        throw new NetcdfException(NetcdfError.NOT_FOUND, "no dimension " + id);
      }
      if (!numbers.isEmpty() && dimensions.get(id.index()).isUnlimited()) {
        throw badDimension("variable '" + name + "' has the unlimited dimension behind others");
      }
      numbers.add(id.index());
    }
    requireRoom(variables);
    variables.add(new Variable(checked, type, numbers, List.of(), Variable.NOWHERE));
    return new VariableId(variables.size() - 1);
  }

  void attribute(Attribute attribute) throws NetcdfException {
    put(attributes, attribute);
  }

  void attribute(VariableId id, Attribute attribute) throws NetcdfException {
    Variable variable = find(id);
    requireFillValue(variable, attribute);
    List<Attribute> changed = new ArrayList<>(variable.attributes());
    put(changed, attribute);
    variables.set(id.index(), variable.withAttributes(changed));
  }

  private static void requireFillValue(Variable variable, Attribute attribute)
      throws NetcdfException {
    if (!attribute.name().equals(Attribute.FILL_VALUE)) return;
    if (attribute.type() == variable.type() && attribute.count() == 1) return;
    throw new NetcdfException(
        NetcdfError.BAD_TYPE,
        "%s of variable '%s' is one %s"
            .formatted(Attribute.FILL_VALUE, variable.name(), variable.type().cdlName()));
  }

  private void put(List<Attribute> list, Attribute attribute) throws NetcdfException {
    requireType(attribute.type());
    Attribute named =
        new Attribute(Names.checked(attribute.name()), attribute.type(), attribute.values());
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).name().equals(named.name())) {
        list.set(i, named);
        return;
      }
    }
    requireRoom(list);
    list.add(named);
  }

  void deleteAttribute(String name) throws NetcdfException {
    delete(attributes, name);
  }

  void deleteAttribute(VariableId id, String name) throws NetcdfException {
    List<Attribute> changed = new ArrayList<>(find(id).attributes());
    delete(changed, name);
    variables.set(id.index(), find(id).withAttributes(changed));
  }

  private static void delete(List<Attribute> list, String name) throws NetcdfException {
    if (!list.removeIf(attribute -> attribute.name().equals(name))) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no attribute '" + name + "'");
    }
  }

  void rename(VariableId id, String name) throws NetcdfException {
    Variable variable = find(id);
    String checked = Names.checked(name);
    for (Variable other : variables) {
      if (!other.equals(variable) && other.name().equals(checked)) throw inUse("variable", name);
    }
    variables.set(id.index(), variable.withName(checked));
  }

  void rename(DimensionId id, String name) throws NetcdfException {
    if (id.index() < 0 || id.index() >= dimensions.size()) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no dimension " + id);
    }
    String checked = Names.checked(name);
    for (int i = 0; i < dimensions.size(); i++) {
      boolean taken = i != id.index() && dimensions.get(i).name().equals(checked);
      if (taken) throw inUse("dimension", name);
    }
    dimensions.set(id.index(), new Dimension(checked, dimensions.get(id.index()).length()));
  }

  void renameAttribute(String name, String newName) throws NetcdfException {
    rename(attributes, name, newName);
  }

  void renameAttribute(VariableId id, String name, String newName) throws NetcdfException {
    Variable variable = find(id);
    List<Attribute> changed = new ArrayList<>(variable.attributes());
    Attribute renamed = rename(changed, name, newName);
    requireFillValue(variable, renamed);
    variables.set(id.index(), variable.withAttributes(changed));
  }

  private static Attribute rename(List<Attribute> list, String name, String newName)
      throws NetcdfException {
    String checked = Names.checked(newName);
    int place = -1;
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).name().equals(name)) place = i;
      else if (list.get(i).name().equals(checked)) throw inUse("attribute", newName);
    }
    if (place < 0) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no attribute '" + name + "'");
    }
    Attribute old = list.get(place);
    Attribute renamed = new Attribute(checked, old.type(), old.values());
    list.set(place, renamed);
    return renamed;
  }

  void fill(VariableId id, boolean fill) throws NetcdfException {
    find(id);
    if (fill) filled.add(id.index());
    else filled.remove(id.index());
  }

  private Variable find(VariableId id) throws NetcdfException {
    if (id.index() < 0 || id.index() >= variables.size()) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable " + id);
    }
    return variables.get(id.index());
  }

  /** Variables that are new and want to be filled. */
  List<Integer> toFill(Header header) {
    List<Integer> numbers = new ArrayList<>();
    for (int number : filled) {
      boolean isNew = number >= before.variables().size();
      boolean hasData =
          !header.isRecord(header.variables().get(number)) || header.recordCount() > 0;
      if (isNew && hasData) numbers.add(number);
    }
    return numbers;
  }

  /** Everything defined so far; new variables have no places yet. */
  Header header() {
    return new Header(before.format(), before.recordCount(), dimensions, attributes, variables);
  }

  private void requireType(ElementType type) throws NetcdfException {
    if (!type.existsIn(before.format())) {
      throw new NetcdfException(
          NetcdfError.BAD_TYPE, type.cdlName() + " does not exist in " + before.format());
    }
  }

  private static void requireRoom(List<?> entries) throws NetcdfException {
    if (entries.size() >= ENTRIES_MAX) {
      throw new NetcdfException(NetcdfError.TOO_LARGE, "more than " + ENTRIES_MAX + " definitions");
    }
  }

  private static NetcdfException inUse(String what, String name) {
    return new NetcdfException(NetcdfError.NAME_IN_USE, what + " '" + name + "' exists already");
  }

  private static NetcdfException badDimension(String what) {
    return new NetcdfException(NetcdfError.BAD_DIMENSION, what);
  }
}
