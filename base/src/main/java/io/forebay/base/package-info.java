// SPDX-License-Identifier: Apache-2.0

/**
 * What every other module speaks in: sizes, the clock, JSON. Everything here is an immutable value
 * or a stateless interface, so any thread may call it. Start reading at {@link
 * io.forebay.base.ByteSize}.
 */
@NullMarked
package io.forebay.base;

import org.jspecify.annotations.NullMarked;
