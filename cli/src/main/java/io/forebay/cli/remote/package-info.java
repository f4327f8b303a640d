// SPDX-License-Identifier: Apache-2.0

/**
 * Which cluster, instance and path a command means, and the connection to it. Called by one thread.
 * Start reading at {@link io.forebay.cli.remote.ClusterOptions}.
 */
@NullMarked
package io.forebay.cli.remote;

import org.jspecify.annotations.NullMarked;
