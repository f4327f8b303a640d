// SPDX-License-Identifier: Apache-2.0

/**
 * Services whose libraries are in folders of their own, and are loaded only where they are needed.
 * Any thread. Start reading at {@link io.forebay.server.folder.ServiceFolder}.
 */
@NullMarked
package io.forebay.server.folder;

import org.jspecify.annotations.NullMarked;
