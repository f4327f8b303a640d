// SPDX-License-Identifier: Apache-2.0

/**
 * The cluster, instance and path of a command, and the connection to it. Called by one thread.
 * Start reading at {@link io.forebay.cli.remote.ClusterOptions}.
 */
@NullMarked
package io.forebay.cli.remote;

import org.jspecify.annotations.NullMarked;
