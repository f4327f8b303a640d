// SPDX-License-Identifier: Apache-2.0

/**
 * Processes: seats and the manager on real sockets and disks, one thread each, and a whole cluster
 * inside a program. Any thread may create, watch and close processes; everything inside belongs to
 * their loops. Start reading at {@link io.forebay.server.ServerProcess}, or at {@link
 * io.forebay.server.EmbeddedCluster} for tests and first steps.
 */
@NullMarked
package io.forebay.server;

import org.jspecify.annotations.NullMarked;
