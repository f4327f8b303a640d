// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.simulation.planted.MethodEdit.Body;
import io.forebay.simulation.planted.MethodEdit.Replacement;
import io.forebay.simulation.planted.body.SeatFaults;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every planted fault finds the methods that it rewrites; what does not fit is refused. */
class MethodEditsTest {
  private final ClassSource source = new ClassSource();

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void fitTheProduct(PlantedBug bug) throws ClassNotFoundException {
    assertThat(bug.edits()).isNotEmpty();
    RewritingLoader loader = new RewritingLoader(source, bug.edits());
    for (MethodEdit edit : bug.edits()) {
      // Initialized, so that the JVM has verified the code.
      Class<?> rewritten = Class.forName(edit.type(), true, loader);
      assertThat(rewritten.getClassLoader()).isSameAs(loader);
    }
  }

  @Test
  void refuseAClassThatIsGone() {
    assertRefused("seat.put.NoSuchPuts", "isConfirmedByAll", new Body.Returns(true))
        .hasMessageContaining("there is no such class");
  }

  @Test
  void refuseAMethodThatIsGone() {
    assertRefused("seat.door.EpochGate", "noSuchRule", new Body.Returns(true))
        .hasMessage(
            "io.forebay.seat.door.EpochGate.noSuchRule cannot be rewritten: the class has no"
                + " method 'noSuchRule'");
  }

  @Test
  void refuseAMethodThatIsNotTheOnlyOneOfItsName() {
    assertRefused("seat.group.HomeStart", "apply", new Body.Nothing())
        .hasMessageContaining("methods 'apply'");
  }

  @Test
  void refuseAnotherType() {
    assertRefused("seat.door.PayloadGate", "isOfEpoch", new Body.Nothing())
        .hasMessageContaining("types are");
    Replacement other = new Replacement(SeatFaults.class, "expireEarly", List.of());
    assertRefused("seat.door.PayloadGate", "isOfEpoch", new Body.Replaced(other))
        .hasMessageContaining("types are");
  }

  @Test
  void refuseAFieldThatIsGone() {
    Replacement by = new Replacement(SeatFaults.class, "fromArrival", List.of("noSuchField"));
    assertRefused("seat.lease.LeaseKeeper", "leasedFromNanos", new Body.Replaced(by))
        .hasMessageContaining("no field 'noSuchField'");
  }

  @Test
  void refuseAModuleThatIsShared() {
    assertRefused("base.RecordId", "compareTo", new Body.Negated())
        .hasMessageContaining("none of the modules");
  }

  @Test
  void negateWhatIsReturned() throws ReflectiveOperationException {
    MethodEdit edit = MethodEdit.of("seat.map.MapMemory", "isNewer", new Body.Negated());
    RewritingLoader loader = new RewritingLoader(source, List.of(edit));
    Method rule =
        loader.loadClass(edit.type()).getDeclaredMethod("isNewer", long.class, long.class);
    rule.setAccessible(true);
    assertThat(rule.invoke(null, 2L, 1L)).isEqualTo(false);
    assertThat(rule.invoke(null, 1L, 2L)).isEqualTo(true);
  }

  @Test
  void breakMethodsThatKeepARule() {
    List<RuleMethods.RuleMethod> rules = RuleMethods.find();
    assertThat(rules).allSatisfy(each -> assertThat(each.rule()).matches("P\\d+"));
    Set<String> methods = new TreeSet<>();
    for (RuleMethods.RuleMethod each : rules) methods.add(each.type() + "." + each.method());
    for (PlantedBug bug : PlantedBug.values()) {
      assertThat(bug.edits()).as(bug.label()).anyMatch(each -> methods.contains(each.toString()));
    }
    assertThat(new NegatedSearch().size()).isGreaterThan(20);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      String type, String method, Body body) {
    MethodEdit edit = MethodEdit.of(type, method, body);
    return assertThatThrownBy(() -> new RewritingLoader(source, List.of(edit)))
        .isInstanceOf(Rewriting.Mismatch.class);
  }
}
