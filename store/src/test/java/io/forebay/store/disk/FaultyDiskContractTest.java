// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.testing.TestSeed;
import java.util.SplittableRandom;

/** Without faults, but with its delays and its order of execution, a faulty disk is a disk. */
final class FaultyDiskContractTest extends DiskContract {
  @Override
  protected Disk open() {
    long seed = TestSeed.next("FaultyDiskContractTest");
    return new FaultyDisk(
        new SplittableRandom(seed), false, Long.MAX_VALUE, Faults.NONE.withWriteBack(0.1));
  }
}
