// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.base.Bytes;
import java.util.HexFormat;

/**
 * What a credential that proves a user contains. It names the certificate of the one manager that
 * it is for: another process that gets it can prove nothing with it.
 */
public final class UserCredential {
  /** Longer ones are none: the content is short. */
  public static final int BYTES_MAX = 4096;

  private static final String PURPOSE = "forebay user for ";

  private UserCredential() {}

  /**
   * The content.
   *
   * @param binding that of the connection over which the credential is sent: see {@link
   *     io.forebay.wire.Connection#channelBinding}
   */
  public static String content(Bytes binding) {
    return PURPOSE + HexFormat.of().formatHex(binding.toArray());
  }
}
