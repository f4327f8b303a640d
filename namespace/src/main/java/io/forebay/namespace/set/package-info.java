// SPDX-License-Identifier: Apache-2.0

/**
 * Sets of numbers that take little memory. Each belongs to one thread. Start reading at {@link
 * io.forebay.namespace.set.LongRanges}.
 */
@NullMarked
package io.forebay.namespace.set;

import org.jspecify.annotations.NullMarked;
