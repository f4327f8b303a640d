// SPDX-License-Identifier: Apache-2.0

/**
 * A connection to a cluster for processes that run as long as their machine, such as the agent of a
 * node. Any thread. Start reading at {@link io.forebay.client.link.ClusterLink}.
 */
@NullMarked
package io.forebay.client.link;

import org.jspecify.annotations.NullMarked;
