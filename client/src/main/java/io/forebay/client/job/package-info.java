// SPDX-License-Identifier: Apache-2.0

/**
 * Jobs of batch systems: each is known by a token, has an instance of its own if it asks for one,
 * and ends with it. Values only; {@code Cluster} begins and ends jobs, by a {@code JobRequest}. Any
 * thread. Start reading at {@link io.forebay.client.job.Job}.
 */
@NullMarked
package io.forebay.client.job;

import org.jspecify.annotations.NullMarked;
