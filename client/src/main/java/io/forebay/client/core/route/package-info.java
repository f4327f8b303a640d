// SPDX-License-Identifier: Apache-2.0

/**
 * How a client finds and asks the seats and the manager: the map, connections, requests that are
 * retried until they are answered, and the session. Pure; called by the client's loop only. Start
 * reading at {@link io.forebay.client.core.route.Router}.
 */
@NullMarked
package io.forebay.client.core.route;

import org.jspecify.annotations.NullMarked;
