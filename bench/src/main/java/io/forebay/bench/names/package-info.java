// SPDX-License-Identifier: Apache-2.0

/**
 * Trees of names that several clients use at the same time, in any storage: the common part of the
 * benchmarks of names. A client belongs to one thread at a time. Start reading at {@link
 * io.forebay.bench.names.NameCrew}.
 */
@NullMarked
package io.forebay.bench.names;

import org.jspecify.annotations.NullMarked;
