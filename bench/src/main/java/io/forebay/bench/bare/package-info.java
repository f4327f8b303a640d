// SPDX-License-Identifier: Apache-2.0

/**
 * The baseline of a burst buffer: checksummed records over one socket between two blocking threads,
 * into preallocated memory. It keeps no names, no index and no copies. Each object belongs to one
 * thread. Start reading at {@link io.forebay.bench.bare.BarePeer}.
 */
@NullMarked
package io.forebay.bench.bare;

import org.jspecify.annotations.NullMarked;
