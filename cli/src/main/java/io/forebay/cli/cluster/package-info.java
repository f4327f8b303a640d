// SPDX-License-Identifier: Apache-2.0

/**
 * Commands that run and administer a cluster: processes, instances, status. Each runs on the main
 * thread. Start reading at {@link io.forebay.cli.cluster.ManagerCommand}.
 */
@NullMarked
package io.forebay.cli.cluster;

import org.jspecify.annotations.NullMarked;
