// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the contents of two files: dimensions, attributes and variables by name, in any order,
 * then data. Positions in the files do not matter.
 */
public final class Comparison {
  private static final int VALUES_SHOWN_MAX = 8;
  private static final int TEXT_SHOWN_MAX = 60;

  /**
   * The parts to compare.
   *
   * @param format whether the versions of the format have to be the same
   * @param data whether elements are compared
   * @param variables only these variables, and nothing else of the files; everything if empty
   */
  public record Options(boolean format, boolean data, Set<String> variables, Tolerance tolerance) {
    public Options {
      variables = Set.copyOf(variables);
    }
  }

  /** One of the files. */
  public record Side(SharedFile file, Header header) {}

  private final Side first;
  private final Side second;
  private final Options options;
  private final List<Difference> differences = new ArrayList<>();

  private Comparison(Side first, Side second, Options options) {
    this.first = first;
    this.second = second;
    this.options = options;
  }

  /** Compares; no differences if the files are the same. */
  public static List<Difference> compare(
      Side first, Side second, Options options, LongConsumer progress) throws IOException {
    Comparison comparison = new Comparison(first, second, options);
    comparison.headers();
    if (options.data()) comparison.data(progress);
    return comparison.differences;
  }

  /** How much data of one file is compared. */
  public static long dataBytes(Header header, Options options) {
    long total = 0;
    for (Variable variable : header.variables()) {
      if (!options.data() || !isWanted(variable, options)) continue;
      long parts = header.isRecord(variable) ? header.recordCount() : 1;
      total += parts * header.dataBytes(variable);
    }
    return total;
  }

  private static boolean isWanted(Variable variable, Options options) {
    return options.variables().isEmpty() || options.variables().contains(variable.name());
  }

  private void headers() {
    Header a = first.header();
    Header b = second.header();
    if (options.format() && a.format() != b.format()) {
      unlike("format", "CDF-" + a.format().version(), "CDF-" + b.format().version());
    }
    if (options.variables().isEmpty()) {
      dimensions(a, b);
      attributes("", a.attributes(), b.attributes());
    }
    for (Variable variable : a.variables()) {
      if (!isWanted(variable, options)) continue;
      int place = b.variableNamed(variable.name());
      if (place < 0) missing(what(variable), true);
      else variables(variable, b.variables().get(place));
    }
    for (Variable variable : b.variables()) {
      boolean alone = a.variableNamed(variable.name()) < 0;
      if (alone && isWanted(variable, options)) missing(what(variable), false);
    }
  }

  private static String what(Variable variable) {
    return "variable '" + variable.name() + "'";
  }

  private void missing(String what, boolean inFirst) {
    differences.add(new Difference.Missing(what, inFirst));
  }

  private void unlike(String what, String one, String other) {
    if (!one.equals(other)) differences.add(new Difference.Unlike(what, one, other));
  }

  private void dimensions(Header a, Header b) {
    for (Dimension dimension : a.dimensions()) {
      String what = "dimension '" + dimension.name() + "'";
      int place = b.dimensionNamed(dimension.name());
      if (place < 0) missing(what, true);
      else unlike(what, length(dimension, a), length(b.dimensions().get(place), b));
    }
    for (Dimension dimension : b.dimensions()) {
      if (a.dimensionNamed(dimension.name()) < 0) {
        missing("dimension '" + dimension.name() + "'", false);
      }
    }
  }

  private static String length(Dimension dimension, Header header) {
    return dimension.isUnlimited()
        ? "unlimited (" + header.recordCount() + ")"
        : Long.toString(dimension.length());
  }

  private void attributes(String owner, List<Attribute> a, List<Attribute> b) {
    Map<String, Attribute> others = new LinkedHashMap<>();
    for (Attribute attribute : b) others.put(attribute.name(), attribute);
    for (Attribute attribute : a) {
      String what = "attribute '" + owner + ":" + attribute.name() + "'";
      Attribute other = others.remove(attribute.name());
      if (other == null) missing(what, true);
      else if (!other.equals(attribute)) {
        differences.add(new Difference.Unlike(what, text(attribute), text(other)));
      }
    }
    for (String name : others.keySet()) missing("attribute '" + owner + ":" + name + "'", false);
  }

  private static String text(Attribute attribute) {
    if (attribute.type() == ElementType.CHAR) {
      String text = attribute.text();
      boolean shown = text.length() <= TEXT_SHOWN_MAX;
      return "\"" + (shown ? text : text.substring(0, TEXT_SHOWN_MAX) + "…") + "\"";
    }
    List<String> values = new ArrayList<>();
    ByteBuffer bytes = attribute.values().asBuffer();
    while (bytes.hasRemaining() && values.size() < VALUES_SHOWN_MAX) {
      values.add(DataComparison.text(bytes, attribute.type()));
    }
    if (bytes.hasRemaining()) values.add("…");
    return attribute.type().cdlName() + " " + String.join(", ", values);
  }

  private void variables(Variable a, Variable b) {
    String what = what(a);
    unlike("type of " + what, a.type().cdlName(), b.type().cdlName());
    unlike("shape of " + what, shape(a, first.header()), shape(b, second.header()));
    attributes(a.name(), a.attributes(), b.attributes());
  }

  private static String shape(Variable variable, Header header) {
    List<String> names = new ArrayList<>();
    for (int place = 0; place < variable.dimensions().size(); place++) {
      String name = header.dimensions().get(variable.dimensions().get(place)).name();
      names.add(name + " " + header.length(variable, place));
    }
    return "(" + String.join(", ", names) + ")";
  }

  private void data(LongConsumer progress) throws IOException {
    DataComparison.Settings settings = new DataComparison.Settings(options.tolerance(), progress);
    for (Variable variable : first.header().variables()) {
      int place = second.header().variableNamed(variable.name());
      if (place < 0 || !isWanted(variable, options)) continue;
      Variable other = second.header().variables().get(place);
      // A difference in type or shape is already reported, and such elements cannot be compared.
      if (other.type() != variable.type() || !sameLengths(variable, other)) continue;
      @Nullable Difference found =
          DataComparison.compare(
              new Elements(first.file(), first.header(), variable),
              new Elements(second.file(), second.header(), other),
              first.header(),
              variable,
              settings);
      if (found != null) differences.add(found);
    }
  }

  private boolean sameLengths(Variable a, Variable b) {
    if (a.dimensions().size() != b.dimensions().size()) return false;
    for (int place = 0; place < a.dimensions().size(); place++) {
      if (first.header().length(a, place) != second.header().length(b, place)) return false;
    }
    return true;
  }
}
