// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures how the code is divided: {@code java dev/Packages.java FOLDER}, from the project's root,
 * after {@code ./forebay build}. Reads sources below {@code MODULE/src/main/java} and classes below
 * {@code MODULE/target/quick/classes} of the folder. A class stands for those nested in it.
 */
final class Packages {
  private static final int FILES_MAX = 20;
  private static final String ROOT = "io/forebay/";
  private static final String SEATS = "io/forebay/seat/";
  private static final String SEAT = "io/forebay/seat/Seat";
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Path CLASSES = Path.of("target", "quick", "classes");
  private static final Pattern TYPE = Pattern.compile("L(io/forebay/[\\w/$]+)[;<]");

  /** For each class, the classes that it names. */
  private final Map<String, Set<String>> uses = new TreeMap<>();

  private final Set<String> holders = new TreeSet<>();
  private final Set<String> reached = new TreeSet<>();

  public static void main(String[] arguments) throws IOException {
    Packages packages = new Packages();
    Path folder = Path.of(arguments.length == 0 ? "." : arguments[0]);
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> modules = Files.list(folder)) {
      for (Path module : modules.sorted().toList()) {
        count(module.resolve(SOURCES), files);
        packages.read(module.resolve(CLASSES));
      }
    }
    print(files);
    packages.printStar();
  }

  private static void count(Path sources, Map<String, Integer> files) throws IOException {
    if (!Files.isDirectory(sources)) return;
    try (Stream<Path> found = Files.walk(sources)) {
      found
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .forEach(name -> files.merge(name, 1, Integer::sum));
    }
  }

  private static void print(Map<String, Integer> files) {
    System.out.println("packages, files of each with its package-info:");
    files.forEach(
        (name, count) ->
            System.out.printf("  %-44s %3d%s%n", name, count, count > FILES_MAX ? " *" : ""));
    long large = files.values().stream().filter(count -> count > FILES_MAX).count();
    System.out.printf(
        "%d packages, %d of more than %d files (*)%n", files.size(), large, FILES_MAX);
  }

  private void read(Path classes) throws IOException {
    if (!Files.isDirectory(classes)) return;
    try (Stream<Path> found = Files.walk(classes)) {
      for (Path file : found.filter(each -> each.toString().endsWith(".class")).toList()) {
        add(ClassFile.of().parse(file));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void add(ClassModel model) {
    String self = outer(model.thisClass().asInternalName());
    if (self.endsWith("package-info")) return;
    Set<String> named = uses.computeIfAbsent(self, key -> new TreeSet<>());
    List<String> descriptors = new ArrayList<>();
    model.fields().forEach(field -> descriptors.add(field.fieldType().stringValue()));
    model.methods().forEach(method -> descriptors.add(method.methodType().stringValue()));
    boolean holds =
        model.fields().stream()
            .anyMatch(field -> field.fieldType().stringValue().equals("L" + SEAT + ";"));
    if (holds && !self.equals(SEAT)) holders.add(self);
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) descriptors.add("L" + type.asInternalName() + ";");
      if (entry instanceof NameAndTypeEntry type) descriptors.add(type.type().stringValue());
      if (entry instanceof MemberRefEntry member && !self.equals(SEAT)) {
        boolean ofSeat = member.owner().asInternalName().equals(SEAT);
        boolean called = !member.name().equalsString("<init>");
        if (ofSeat && called && self.startsWith(SEATS)) reached.add(member.name().stringValue());
      }
    }
    for (String descriptor : descriptors) {
      Matcher types = TYPE.matcher(descriptor.replace("[L", "L"));
      while (types.find()) {
        String type = outer(types.group(1));
        if (!type.equals(self)) named.add(type);
      }
    }
  }

  private static String outer(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  private void printStar() {
    Map<String, Set<String>> seats = new TreeMap<>();
    Map<String, Set<String>> packages = new TreeMap<>();
    uses.forEach(
        (name, named) -> {
          if (name.startsWith(SEATS)) seats.put(name, named);
          Set<String> of = packages.computeIfAbsent(packageOf(name), key -> new TreeSet<>());
          named.forEach(each -> of.add(packageOf(each)));
          of.remove(packageOf(name));
        });
    System.out.println();
    System.out.printf("classes of the seat module: %d%n", seats.size());
    System.out.printf("classes that hold the whole Seat: %d%n", holders.size());
    System.out.printf("methods of Seat that parts reach: %d%n", reached.size());
    tell("largest cycle of classes in the seat module", largestCycle(seats));
    tell("largest cycle of packages", largestCycle(packages));
  }

  private static void tell(String what, List<String> cycle) {
    String some = String.join(", ", cycle.subList(0, Math.min(4, cycle.size())));
    System.out.printf(
        "%s: %d%s%n", what, cycle.size(), cycle.isEmpty() ? "" : " (" + some + ", ...)");
  }

  private static String packageOf(String type) {
    return type.substring(0, type.lastIndexOf('/'));
  }

  /** The largest set of nodes that all reach each other; empty if there is no cycle. */
  private static List<String> largestCycle(Map<String, Set<String>> graph) {
    Map<String, Set<String>> reachable = new HashMap<>();
    for (String from : graph.keySet()) reachable.put(from, reach(graph, from));
    return graph.keySet().stream()
        .map(
            node ->
                graph.keySet().stream()
                    .filter(
                        other ->
                            reachable.get(node).contains(other)
                                && reachable.get(other).contains(node))
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .toList())
        .max(Comparator.comparingInt(List::size))
        .orElse(List.of());
  }

  /** The nodes that are reached by at least one step. */
  private static Set<String> reach(Map<String, Set<String>> graph, String from) {
    Set<String> found = new TreeSet<>();
    ArrayDeque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      for (String each : graph.getOrDefault(next.remove(), Set.of())) {
        if (found.add(each)) next.add(each);
      }
    }
    return found;
  }
}
