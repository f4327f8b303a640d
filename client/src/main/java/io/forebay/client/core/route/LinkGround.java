// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Timers;
import io.forebay.client.core.retry.Backoff;
import io.forebay.wire.Network;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The shared parts of a client's links.
 *
 * @param answerNanos after this time without an answer the peer is given up
 * @param overdueNanos after this time without an answer the peer is probed
 */
record LinkGround(
    Timers timers,
    Network network,
    Backoff backoff,
    long answerNanos,
    long overdueNanos,
    Supplier<Handshake.Hello> hello,
    Consumer<Maps.MapIs> mapTold) {}
