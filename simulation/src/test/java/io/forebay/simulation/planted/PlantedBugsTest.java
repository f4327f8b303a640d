// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults in our own code are noticed, by a rule that has a name. Each is played with classes of its
 * own, which are cold: the better compiler would not pay, see the module's POM.
 */
@Tag("cold")
class PlantedBugsTest {
  private static final PlantedSearch SEARCH = new PlantedSearch();

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void isNoticed(PlantedBug bug) {
    PlantedSearch.Found found = SEARCH.search(bug);
    assertThat(found.caught()).as("%s, %d seeds", bug.what(), found.seeds()).isTrue();
    assertThat(found.by()).matches("[IP]\\d+");
    assertThat(found.clean()).as("seed %d without the fault", found.seed()).isTrue();
  }
}
