// SPDX-License-Identifier: Apache-2.0

/**
 * How messages travel: connections, where payloads land, and what cores need to know of a network.
 * Interfaces only; each loop calls its own network from its own thread. Start reading at {@link
 * io.forebay.wire.Network}.
 */
@NullMarked
package io.forebay.wire;

import org.jspecify.annotations.NullMarked;
