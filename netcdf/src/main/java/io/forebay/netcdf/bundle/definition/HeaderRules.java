// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Names;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What netCDF requires of the names, types and sizes in a file of one format. */
final class HeaderRules {
  private final String bundle;
  private final Format format;

  /** For a bundle of this name. */
  HeaderRules(String bundle, Format format) {
    this.bundle = bundle;
    this.format = format;
  }

  /** The header with names in the form that files have; throws if a file cannot have it. */
  Header checked(List<Dimension> dimensions, List<Attribute> attributes, List<Variable> variables) {
    List<Dimension> named = new ArrayList<>();
    for (Dimension each : dimensions) named.add(new Dimension(name(each.name()), each.length()));
    List<Variable> checked = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Variable each : variables) {
      String name = name(each.name());
      if (!names.add(name)) throw problem("", "'" + name + "' is defined twice");
      requireType(where(each), each.type());
      List<Attribute> noted = attributes(where(each), each.attributes());
      noted.forEach(attribute -> requireFillValue(each, attribute));
      checked.add(new Variable(name, each.type(), each.dimensions(), noted, Variable.NOWHERE));
    }
    Header header = new Header(format, 0, named, attributes("", attributes), checked);
    try {
      Layout.place(header, 1);
    } catch (NetcdfException e) {
      throw problem("", String.valueOf(e.getMessage()));
    }
    return header;
  }

  private static String where(Variable variable) {
    return ", variable '" + variable.name() + "'";
  }

  private String name(String given) {
    try {
      return Names.checked(given);
    } catch (NetcdfException e) {
      throw problem("", String.valueOf(e.getMessage()));
    }
  }

  /** Of several attributes of one name the last one counts, in the place of the first. */
  private List<Attribute> attributes(String where, List<Attribute> given) {
    List<Attribute> attributes = new ArrayList<>();
    for (Attribute each : given) {
      String name = name(each.name());
      requireType(where + ", attribute '" + name + "'", each.type());
      Attribute named = new Attribute(name, each.type(), each.values());
      int earlier = attributes.stream().map(Attribute::name).toList().indexOf(name);
      if (earlier < 0) attributes.add(named);
      else attributes.set(earlier, named);
    }
    return attributes;
  }

  private void requireType(String where, ElementType type) {
    if (type.existsIn(format)) return;
    throw problem(where, type + " does not exist in " + format + "; use CDF5 or NETCDF4");
  }

  private void requireFillValue(Variable variable, Attribute attribute) {
    if (!attribute.name().equals(Attribute.FILL_VALUE)) return;
    if (attribute.type() == variable.type() && attribute.count() == 1) return;
    throw problem(where(variable), Attribute.FILL_VALUE + " must be one " + variable.type());
  }

  private IllegalArgumentException problem(String where, String what) {
    return new IllegalArgumentException("bundle '%s'%s: %s".formatted(bundle, where, what));
  }
}
