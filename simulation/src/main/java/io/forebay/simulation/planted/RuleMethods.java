// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.base.rule.Rule;
import io.forebay.client.core.ClientCore;
import io.forebay.namespace.GroupState;
import io.forebay.seat.Seat;
import io.forebay.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ConstantDescs;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds the methods of the product that keep a rule, by the class files of its modules. */
final class RuleMethods {
  /** A class of each module in which rules are kept. */
  private static final List<Class<?>> MODULES =
      List.of(ClientCore.class, GroupState.class, Seat.class, Store.class);

  /**
   * A method with {@link Rule}.
   *
   * @param type the full name of its class
   * @param isPredicate whether it returns a boolean
   */
  record RuleMethod(String rule, String type, String method, boolean isPredicate) {
    MethodEdit negated() {
      return new MethodEdit(type, method, new MethodEdit.Body.Negated());
    }

    boolean isRewrittenBy(MethodEdit edit) {
      return edit.type().equals(type) && edit.method().equals(method);
    }
  }

  private RuleMethods() {}

  /** All of them, by class and name. */
  static List<RuleMethod> find() {
    List<RuleMethod> found = new ArrayList<>();
    for (Class<?> module : MODULES) {
      try {
        find(module.getProtectionDomain().getCodeSource().getLocation(), found);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the classes beside " + module.getName(), e);
      }
    }
    found.sort(Comparator.comparing(RuleMethod::type).thenComparing(RuleMethod::method));
    return found;
  }

  private static void find(URL where, List<RuleMethod> found) throws IOException {
    Path path;
    try {
      path = Path.of(where.toURI());
    } catch (URISyntaxException e) {
      throw new IOException(where + " is no path", e);
    }
    if (Files.isDirectory(path)) {
      findBelow(path, found);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      findBelow(jar.getPath("/"), found);
    }
  }

  private static void findBelow(Path root, List<RuleMethod> found) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(each -> each.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      for (MethodModel method : model.methods()) addIfRule(model, method, found);
    }
  }

  private static void addIfRule(ClassModel model, MethodModel method, List<RuleMethod> found) {
    method
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .ifPresent(
            annotations -> {
              for (Annotation each : annotations.annotations()) {
                if (!each.classSymbol().equals(Rule.class.describeConstable().orElseThrow())) {
                  continue;
                }
                found.add(
                    new RuleMethod(
                        numberOf(each),
                        model.thisClass().asInternalName().replace('/', '.'),
                        method.methodName().stringValue(),
                        method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_boolean)));
              }
            });
  }

  private static String numberOf(Annotation rule) {
    return rule.elements().getFirst().value() instanceof AnnotationValue.OfString text
        ? text.stringValue()
        : "";
  }
}
