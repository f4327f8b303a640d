// SPDX-License-Identifier: Apache-2.0

/**
 * What was written and read of instances, added up over all servers. Values; any thread. Start
 * reading at {@link io.forebay.client.use.InstanceUsage}.
 */
@NullMarked
package io.forebay.client.use;

import org.jspecify.annotations.NullMarked;
