// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * The attributes that a store keeps of a file, as far as it can. Each may be {@link #UNKNOWN}.
 *
 * @param mode the nine permission bits; higher bits are not passed on
 * @param modifyNanos since the beginning of 1970
 */
public record FileAttributes(int mode, int user, int group, long modifyNanos) {
  public static final int UNKNOWN = -1;
  public static final FileAttributes NONE = new FileAttributes(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

  /** The permission bits that are passed on: no set-user-id and its kin. */
  public static final int MODE_MASK = 0777;
}
