// SPDX-License-Identifier: Apache-2.0

/**
 * What the kernel of this machine knows of the users at the other ends of sockets.
 *
 * <p>Called by loops; nothing here waits. Processes that listen may enter. Start reading at {@link
 * io.forebay.server.peer.KernelPeerUsers}.
 */
@NullMarked
package io.forebay.server.peer;

import org.jspecify.annotations.NullMarked;
