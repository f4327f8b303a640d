// SPDX-License-Identifier: Apache-2.0

/**
 * What is drained when, and in which order: policies as values with a text form, and the queue of
 * files that are to be drained. Policies may be used by any thread, a queue by its seat's loop.
 * Start reading at {@link io.forebay.drain.policy.DrainPolicy}.
 */
@NullMarked
package io.forebay.drain.policy;

import org.jspecify.annotations.NullMarked;
