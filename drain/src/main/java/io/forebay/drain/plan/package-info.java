// SPDX-License-Identifier: Apache-2.0

/**
 * Two-phase output as a plan: how a file is cut into domains, which seat writes which, and in which
 * large writes, each with its pieces. Plans do not change once made, so any thread may read one.
 * Start reading at {@link io.forebay.drain.plan.DrainPlanner}.
 */
@NullMarked
package io.forebay.drain.plan;

import org.jspecify.annotations.NullMarked;
