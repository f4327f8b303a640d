// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

/**
 * The faults of a {@link FaultyDisk}, each as a probability per operation.
 *
 * @param createError a create fails, and the file does not exist
 * @param createNoSpace a create finds no space, regardless of the capacity
 * @param writeError a write fails with any of its sectors written
 * @param readError a read, a map or a chunk of a scan fails; the next try may succeed
 * @param forceError a force fails, and the system may treat unwritten sectors as written
 * @param writeBack the system writes some sectors back on its own, at each executed request
 * @param eviction when a sector is read that the system wrongly treats as written, the system drops
 *     it from its cache, so that the old bytes come back
 */
public record Faults(
    double createError,
    double createNoSpace,
    double writeError,
    double readError,
    double forceError,
    double writeBack,
    double eviction) {

  /** A disk that only reorders, delays and loses what a real one may. */
  public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0);

  public Faults {
    requireProbability("createError", createError);
    requireProbability("createNoSpace", createNoSpace);
    requireProbability("writeError", writeError);
    requireProbability("readError", readError);
    requireProbability("forceError", forceError);
    requireProbability("writeBack", writeBack);
    requireProbability("eviction", eviction);
  }

  public Faults withCreateError(double p) {
    return new Faults(p, createNoSpace, writeError, readError, forceError, writeBack, eviction);
  }

  public Faults withCreateNoSpace(double p) {
    return new Faults(createError, p, writeError, readError, forceError, writeBack, eviction);
  }

  public Faults withWriteError(double p) {
    return new Faults(createError, createNoSpace, p, readError, forceError, writeBack, eviction);
  }

  public Faults withReadError(double p) {
    return new Faults(createError, createNoSpace, writeError, p, forceError, writeBack, eviction);
  }

  public Faults withForceError(double p) {
    return new Faults(createError, createNoSpace, writeError, readError, p, writeBack, eviction);
  }

  public Faults withWriteBack(double p) {
    return new Faults(createError, createNoSpace, writeError, readError, forceError, p, eviction);
  }

  public Faults withEviction(double p) {
    return new Faults(createError, createNoSpace, writeError, readError, forceError, writeBack, p);
  }

  private static void requireProbability(String key, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(key + " is not a probability: " + probability);
    }
  }
}
