// SPDX-License-Identifier: Apache-2.0

/**
 * The messages, as records; their bytes are their components in order. Pure; any thread. Start
 * reading at {@link io.forebay.wire.codec.MessageTypes}.
 */
@NullMarked
package io.forebay.wire.message;

import org.jspecify.annotations.NullMarked;
