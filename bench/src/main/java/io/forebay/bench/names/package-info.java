// SPDX-License-Identifier: Apache-2.0

/**
 * Trees of names that several clients use at the same time, whatever keeps them: what the
 * benchmarks of names have in common. A client belongs to one thread at a time. Start reading at
 * {@link io.forebay.bench.names.NameCrew}.
 */
@NullMarked
package io.forebay.bench.names;

import org.jspecify.annotations.NullMarked;
