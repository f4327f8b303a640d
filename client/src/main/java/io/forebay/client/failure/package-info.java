// SPDX-License-Identifier: Apache-2.0

/**
 * How a call of a client can fail where the JDK has no exception for it, and the protocol's code
 * behind any exception. For applications and all packages of the client. Any thread. Start reading
 * at {@link io.forebay.client.failure.Failures}.
 */
@NullMarked
package io.forebay.client.failure;

import org.jspecify.annotations.NullMarked;
