// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Which module may use which, and what protocol cores must get from outside. A module is the first
 * package below {@code io.forebay}. A new module is a line in {@link #ALLOWED}.
 */
class ArchitectureTest {
  private static final String ROOT = "io.forebay";

  /** Module to the modules it may use; the same as in the POMs. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("testing", Set.of()),
          Map.entry("base", Set.of()),
          Map.entry("wire", Set.of("base")),
          Map.entry("ring", Set.of("base")),
          Map.entry("client", Set.of("base", "wire", "ring")),
          Map.entry("store", Set.of("base")),
          Map.entry("metrics", Set.of("base")),
          Map.entry("namespace", Set.of("base", "wire", "ring", "store")),
          Map.entry("backing", Set.of("base")),
          Map.entry("drain", Set.of("base")),
          Map.entry("parallel", Set.of("base")),
          Map.entry("netcdf", Set.of("base", "parallel", "drain", "client")),
          Map.entry("netcdf4", Set.of("base", "netcdf")),
          Map.entry(
              "seat", Set.of("base", "wire", "ring", "store", "namespace", "backing", "drain")),
          Map.entry(
              "server",
              Set.of(
                  "base",
                  "wire",
                  "ring",
                  "store",
                  "namespace",
                  "backing",
                  "seat",
                  "client",
                  "metrics")),
          Map.entry("authority", Set.of("base", "wire")),
          Map.entry("consensus", Set.of("base", "wire", "store", "seat", "server")),
          Map.entry("mount", Set.of("base", "wire", "client")),
          Map.entry("job", Set.of("base", "wire", "ring", "client")),
          Map.entry(
              "simulation",
              Set.of(
                  "base",
                  "wire",
                  "ring",
                  "store",
                  "namespace",
                  "backing",
                  "drain",
                  "seat",
                  "client")),
          Map.entry(
              "bench",
              Set.of(
                  "base",
                  "wire",
                  "ring",
                  "client",
                  "store",
                  "backing",
                  "drain",
                  "seat",
                  "server",
                  "simulation",
                  "mount",
                  "parallel",
                  "netcdf")),
          Map.entry(
              "cli",
              Set.of(
                  "base",
                  "wire",
                  "ring",
                  "client",
                  "store",
                  "backing",
                  "server",
                  "mount",
                  "job",
                  "simulation",
                  "netcdf",
                  "metrics",
                  "bench")));

  /** Packages whose classes decide: simulated time, network and disk must be able to drive them. */
  private static final List<String> CORES =
      List.of(
          "io.forebay.wire..",
          "io.forebay.ring..",
          "io.forebay.client.core..",
          "io.forebay.store..",
          "io.forebay.namespace..",
          "io.forebay.drain..",
          "io.forebay.seat..",
          "io.forebay.simulation..");

  /** Parts of those modules that do touch the machine, each with its reason in package-info. */
  private static final List<String> EDGES =
      List.of(
          "io.forebay.wire.tcp..",
          "io.forebay.wire.tls..",
          "io.forebay.store.disk..",
          "io.forebay.store.directory..",
          "io.forebay.simulation.planted..");

  /** What processes of a ring and its clients are made of. */
  private static final String[] PRODUCT = {
    "io.forebay.base..",
    "io.forebay.wire..",
    "io.forebay.ring..",
    "io.forebay.client..",
    "io.forebay.store..",
    "io.forebay.namespace..",
    "io.forebay.drain..",
    "io.forebay.backing..",
    "io.forebay.seat..",
    "io.forebay.server.."
  };

  /** Calls that read a clock or draw unseeded randomness. */
  private static final Set<String> IMPURE_CALLS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.Math.random",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system",
          "java.time.Clock.tickMillis",
          "java.util.UUID.randomUUID",
          "java.util.concurrent.ThreadLocalRandom.current",
          "io.forebay.base.MonotonicClock.system");

  private static final int PARAMETERS_MAX = 5;

  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);
  }

  @Test
  void everyModuleIsInTheTable() {
    Set<String> modules = new TreeSet<>();
    for (JavaClass type : classes) modules.add(moduleOf(type));
    assertThat(ALLOWED.keySet()).containsAll(modules);
    assertThat(modules).contains("base", "cli");
  }

  @TestFactory
  List<DynamicTest> modulesUseOnlyWhatTheTableAllows() {
    return ALLOWED.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        noClasses()
                            .that(resideInAPackage(ROOT + "." + entry.getKey() + ".."))
                            .should()
                            .dependOnClassesThat(areOutsideOf(entry.getKey(), entry.getValue()))
                            .because("a module uses only what ArchitectureTest.ALLOWED lists")
                            .allowEmptyShould(true)
                            .check(classes)))
        .toList();
  }

  @Test
  void modulesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  @Test
  void packagesOfAModuleHaveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void onlyTheSeatsOwnPackageNamesSeat() {
    noClasses()
        .that()
        .resideInAPackage("io.forebay.seat..")
        .and()
        .resideOutsideOfPackage("io.forebay.seat")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are the whole seat", type -> type.getName().equals("io.forebay.seat.Seat")))
        .because("a part gets the collaborators that it uses, and only Seat wires them")
        .check(classes);
  }

  @Test
  void constructorsTakeFiveParametersOrARecord() throws IOException {
    Set<String> known = new TreeSet<>(lines("long-constructors.txt").keySet());
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.isRecord() || type.isAnonymousClass() || type.isLocalClass()) continue;
      for (JavaConstructor constructor : type.getConstructors()) {
        if (parameters(constructor) > PARAMETERS_MAX) found.add(type.getName());
      }
    }
    assertThat(found)
        .as("more than %d parameters: make what belongs together a record", PARAMETERS_MAX)
        .isEqualTo(known);
  }

  /** Those of the source: the compiler adds some for inner classes and enums. */
  private static int parameters(JavaConstructor constructor) {
    JavaClass type = constructor.getOwner();
    int added = type.isEnum() ? 2 : type.isInnerClass() ? 1 : 0;
    return constructor.getRawParameterTypes().size() - added;
  }

  @Test
  void whatOtherModulesSeeOfASeatIsListed() throws IOException {
    Set<String> seen = new TreeSet<>();
    for (JavaClass type : classes) {
      // The bodies of planted faults stand for methods of a seat, and see what these see.
      boolean planted = type.getPackageName().startsWith("io.forebay.simulation.planted");
      if (planted || moduleOf(type).equals("seat")) continue;
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String name = dependency.getTargetClass().getBaseComponentType().getName();
        if (name.startsWith("io.forebay.seat.")) seen.add(name.replaceAll("\\$.*", ""));
      }
    }
    assertThat(seen)
        .as("a type of 'seat' that other modules use is added to visible-of-seat.txt on purpose")
        .isEqualTo(new TreeSet<>(lines("visible-of-seat.txt").keySet()));
  }

  /** The lines of a list: a name, and behind a colon why it is there. */
  private static Map<String, String> lines(String list) throws IOException {
    Map<String, String> reasons = new TreeMap<>();
    try (InputStream in = ArchitectureTest.class.getResourceAsStream(list)) {
      if (in == null) throw new IllegalStateException("there is no " + list);
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (line.isBlank() || line.startsWith("#")) continue;
        String[] parts = line.split(": ", 2);
        assertThat(parts).as("a name and a reason: %s", line).hasSize(2);
        reasons.put(parts[0], parts[1]);
      }
    }
    return reasons;
  }

  @Test
  void coresOwnNoThreads() {
    noClasses()
        .that(areCores())
        .should()
        .dependOnClassesThat(
            assignableTo(Thread.class)
                .or(
                    resideInAPackage("java.util.concurrent")
                        .and(
                            DescribedPredicate.describe(
                                "start threads", ArchitectureTest::startsThreads))))
        .because("a core is called by its owner's loop only; work that blocks belongs to an edge")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void coresUseNoSockets() {
    noClasses()
        .that(areCores())
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "javax.net..", "java.rmi..")
                .or(
                    DescribedPredicate.describe(
                        "are socket channels",
                        type ->
                            type.getPackageName().startsWith("java.nio.channels")
                                && (type.getSimpleName().contains("Socket")
                                    || type.getSimpleName().contains("Datagram")
                                    || type.getSimpleName().contains("Selector")))))
        .because("the network is a constructor parameter")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void coresReadNoClockAndDrawNoUnseededRandomness() {
    noClasses()
        .that(areCores())
        .should()
        // Accesses, not calls: a method reference such as System::nanoTime counts too.
        .accessTargetWhere(
            DescribedPredicate.<JavaAccess<?>>describe(
                "reads a clock or draws unseeded randomness",
                access ->
                    IMPURE_CALLS.contains(
                        access.getTargetOwner().getName() + "." + access.getTarget().getName())))
        .orShould()
        .callConstructor(java.util.Random.class)
        .orShould()
        .callConstructor(java.util.SplittableRandom.class)
        .orShould()
        .dependOnClassesThat(assignableTo(java.security.SecureRandom.class))
        .because("clock and seeded randomness are constructor parameters")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void noProductClassKnowsOfPlantedFaults() {
    noClasses()
        .that(resideInAnyPackage(PRODUCT))
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.forebay.simulation.."))
        .orShould()
        .haveSimpleNameContaining("Planted")
        .because("a fault is planted by rewriting classes, and only in the simulation")
        .check(classes);
  }

  @Test
  void javaUtilLoggingIsNotUsed() {
    classes()
        .that()
        // It quiets a library that logs this way.
        .doNotHaveFullyQualifiedName("io.forebay.consensus.ratis.EngineLog")
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.not(
                resideInAnyPackage("java.util.logging..", "org.apache.commons.logging..")))
        .because("messages go through SLF4J")
        .check(classes);
  }

  private static String moduleOf(JavaClass type) {
    String inside = type.getPackageName().substring(ROOT.length() + 1);
    int dot = inside.indexOf('.');
    return dot < 0 ? inside : inside.substring(0, dot);
  }

  private static DescribedPredicate<JavaClass> areOutsideOf(String module, Set<String> allowed) {
    return DescribedPredicate.describe(
        "are in modules other than " + module + " and " + new TreeSet<>(allowed),
        type ->
            type.getPackageName().startsWith(ROOT + ".")
                && !moduleOf(type).equals(module)
                && !allowed.contains(moduleOf(type)));
  }

  private static DescribedPredicate<JavaClass> areCores() {
    return resideInAnyPackage(CORES.toArray(String[]::new))
        .and(DescribedPredicate.not(resideInAnyPackage(EDGES.toArray(String[]::new))))
        .as("are protocol cores");
  }

  private static boolean startsThreads(JavaClass type) {
    String name = type.getSimpleName();
    return name.contains("Executor") || name.equals("ForkJoinPool") || name.equals("ThreadFactory");
  }
}
