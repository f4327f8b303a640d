// SPDX-License-Identifier: Apache-2.0

/**
 * The network on real sockets, TCP and Unix: one selector loop, one thread. It touches the machine,
 * which the rest of {@code wire} does not. Everything is called by the loop's thread, except {@link
 * io.forebay.wire.tcp.TcpLoop#wakeUp}. Start reading at {@link io.forebay.wire.tcp.TcpLoop#poll}.
 */
@NullMarked
package io.forebay.wire.tcp;

import org.jspecify.annotations.NullMarked;
