// SPDX-License-Identifier: Apache-2.0

/**
 * This host, the user of the program, and the hosts that have the bytes of a file. {@link
 * io.forebay.client.host.Location} and {@link io.forebay.client.host.HostName} are for
 * applications, the rest for the client. Any thread. Start reading at {@link
 * io.forebay.client.host.Locator}.
 */
@NullMarked
package io.forebay.client.host;

import org.jspecify.annotations.NullMarked;
