// SPDX-License-Identifier: Apache-2.0

/**
 * When a client sends a request again, how long it waits before that, and when it gives the request
 * up. Knows neither connections nor the map: those are in {@code route}, which uses this. Pure;
 * called by the client's loop only, but for {@link io.forebay.client.core.retry.Backoff}, whose
 * exact form any thread may use. Start reading at {@link io.forebay.client.core.retry.Retry}.
 */
@NullMarked
package io.forebay.client.core.retry;

import org.jspecify.annotations.NullMarked;
