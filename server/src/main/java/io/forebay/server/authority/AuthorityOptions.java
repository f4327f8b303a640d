// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.wire.authority.JoinToken;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a process takes part in the cluster's own CA.
 *
 * @param token by which a process enrols; null if it has enrolled before, or uses other
 *     certificates
 * @param own whether a manager has a CA even where it listens on loopback addresses only
 * @param lifetime of the certificates that a manager issues
 */
public record AuthorityOptions(@Nullable JoinToken token, boolean own, Duration lifetime) {
  public static final AuthorityOptions DEFAULT =
      new AuthorityOptions(null, false, ClusterCa.LIFETIME);
}
