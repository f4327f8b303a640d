// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

/**
 * Code that gets any bytes. It returns if they were read, or refused in the way that the code
 * documents; everything that it throws is a defect.
 */
public interface FuzzTarget {
  void take(byte[] input);
}
