// SPDX-License-Identifier: Apache-2.0

/**
 * What a burst buffer is compared with: checksummed records over one socket between two blocking
 * threads, into memory that is there already. It keeps no names, no index and no copies. Each
 * object belongs to one thread. Start reading at {@link io.forebay.bench.bare.BarePeer}.
 */
@NullMarked
package io.forebay.bench.bare;

import org.jspecify.annotations.NullMarked;
