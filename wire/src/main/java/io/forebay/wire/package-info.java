// SPDX-License-Identifier: Apache-2.0

/**
 * Connections, the destinations of payloads, and the network as cores see it. Interfaces only; each
 * loop calls its own network from its own thread. Start reading at {@link io.forebay.wire.Network}.
 */
@NullMarked
package io.forebay.wire;

import org.jspecify.annotations.NullMarked;
