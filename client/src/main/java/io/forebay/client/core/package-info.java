// SPDX-License-Identifier: Apache-2.0

/**
 * The client as a state machine: it owns no threads and no sockets, and gets clock, network and
 * randomness from outside, so that a simulator can run it. Called by its owner's loop only; its
 * futures complete there. Start reading at {@link io.forebay.client.core.ClientCore}.
 */
@NullMarked
package io.forebay.client.core;

import org.jspecify.annotations.NullMarked;
