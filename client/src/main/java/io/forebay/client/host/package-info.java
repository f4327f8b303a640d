// SPDX-License-Identifier: Apache-2.0

/**
 * Which host this is and who runs the program, and on which hosts the bytes of a file are. {@link
 * io.forebay.client.host.Location} and {@link io.forebay.client.host.HostName} are for
 * applications, the rest for the client. Any thread. Start reading at {@link
 * io.forebay.client.host.Locator}.
 */
@NullMarked
package io.forebay.client.host;

import org.jspecify.annotations.NullMarked;
