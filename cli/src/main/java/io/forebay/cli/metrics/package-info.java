// SPDX-License-Identifier: Apache-2.0

/**
 * The metrics of agents and mounts, and the options that say where they are told. Any thread. Start
 * reading at {@link io.forebay.cli.metrics.DoorOptions}.
 */
@NullMarked
package io.forebay.cli.metrics;

import org.jspecify.annotations.NullMarked;
