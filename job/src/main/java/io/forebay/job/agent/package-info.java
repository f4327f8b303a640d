// SPDX-License-Identifier: Apache-2.0

/**
 * The socket of an agent: small programs connect to it, name a command, and print the answer. It
 * owns threads and sockets. Start reading at {@link io.forebay.job.agent.AgentServer}.
 */
@NullMarked
package io.forebay.job.agent;

import org.jspecify.annotations.NullMarked;
