// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

/**
 * An attempt to drain a file (P21).
 *
 * @param number the number of the attempt, per file
 * @param version the version that it stores
 * @param target the file's name when it began
 * @param handle the store's handle; empty until the attempt is known to have begun there
 * @param naming whether all is written and only the name is missing
 * @param pack the number of the pack it is part of; 0 for none
 */
public record DrainAttempt(
    int number,
    long version,
    long sizeBytes,
    String target,
    String handle,
    boolean naming,
    long beganNanos,
    long pack) {
  public DrainAttempt withHandle(String given) {
    return new DrainAttempt(number, version, sizeBytes, target, given, naming, beganNanos, pack);
  }

  public DrainAttempt asNaming() {
    return new DrainAttempt(number, version, sizeBytes, target, handle, true, beganNanos, pack);
  }
}
