// SPDX-License-Identifier: Apache-2.0

/**
 * Makes X.509 certificates with Bouncy Castle, which the JDK cannot. A manager loads it from a
 * folder of its own when it signs; no other process does. Stateless; any thread. Start reading at
 * {@link io.forebay.authority.BouncyCastleMaker}.
 */
@NullMarked
package io.forebay.authority;

import org.jspecify.annotations.NullMarked;
