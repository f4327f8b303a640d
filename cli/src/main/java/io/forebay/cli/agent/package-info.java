// SPDX-License-Identifier: Apache-2.0

/**
 * The agent of a compute node, and the command that shows what agents report. Used by the command
 * line only. Start reading at {@link io.forebay.cli.agent.AgentProcess}.
 */
@NullMarked
package io.forebay.cli.agent;

import org.jspecify.annotations.NullMarked;
