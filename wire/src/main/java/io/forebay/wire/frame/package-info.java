// SPDX-License-Identifier: Apache-2.0

/**
 * The frame around a message, and the handshake. Pure; each {@link io.forebay.wire.frame.Frames}
 * has one owner. Start reading there.
 */
@NullMarked
package io.forebay.wire.frame;

import org.jspecify.annotations.NullMarked;
