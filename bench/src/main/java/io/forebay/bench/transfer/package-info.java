// SPDX-License-Identifier: Apache-2.0

/**
 * Moves pieces of one size to and from a ring and adds up what that costs at both ends. Each object
 * belongs to one thread. Start reading at {@link io.forebay.bench.transfer.Ring}.
 */
@NullMarked
package io.forebay.bench.transfer;

import org.jspecify.annotations.NullMarked;
