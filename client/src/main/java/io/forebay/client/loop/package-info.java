// SPDX-License-Identifier: Apache-2.0

/**
 * The thread of a connection, and what callers share with it: buffers, the room gate, the tail of a
 * sequential writer, paged results. For the client's packages only. Each class says which thread
 * may call it. Start reading at {@link io.forebay.client.loop.ClientLoop}.
 */
@NullMarked
package io.forebay.client.loop;

import org.jspecify.annotations.NullMarked;
