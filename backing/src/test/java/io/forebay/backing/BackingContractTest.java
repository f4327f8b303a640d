// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import io.forebay.backing.contract.BackingContract;
import io.forebay.testing.TestSeed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all stores, kept by those of this module. */
class BackingContractTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> directory() {
    return cases("posix:" + directory, "directory");
  }

  @TestFactory
  Stream<DynamicTest> slowDirectory() {
    return cases("slow+" + directory, "slow");
  }

  private static Stream<DynamicTest> cases(String address, String name) {
    BackingStores stores = new BackingStores(null);
    BackingStore store = stores.open(address);
    BackingStore other = stores.open(address);
    SplittableRandom random = new SplittableRandom(TestSeed.next("contract of " + name));
    return new BackingContract(store, other, BackingPath.of("contract/" + name), random)
        .cases().stream()
            .map(each -> DynamicTest.dynamicTest(each.name(), each.check()::run))
            .onClose(
                () -> {
                  store.close();
                  other.close();
                });
  }
}
