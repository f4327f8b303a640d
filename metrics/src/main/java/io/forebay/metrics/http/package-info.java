// SPDX-License-Identifier: Apache-2.0

/**
 * An HTTP door with bounds: it answers GET requests of monitoring systems and browsers, and nothing
 * else. Handlers run on virtual threads. Start reading at {@link io.forebay.metrics.http.HttpDoor}.
 */
@NullMarked
package io.forebay.metrics.http;

import org.jspecify.annotations.NullMarked;
