// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

/** Events that a test does not look at. */
public final class QuietEvents implements ManagerEvents {
  @Override
  public void told(String sentence) {}

  @Override
  public void warned(String sentence) {}
}
