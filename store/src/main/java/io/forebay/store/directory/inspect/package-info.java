// SPDX-License-Identifier: Apache-2.0

/**
 * Reads a seat's log without opening or changing it, and reports what it holds. Touches the
 * machine: it reads files. Entered by commands and tests. Belongs to the thread that calls it.
 * Start reading at {@link io.forebay.store.directory.inspect.LogReading}.
 */
@NullMarked
package io.forebay.store.directory.inspect;

import org.jspecify.annotations.NullMarked;
