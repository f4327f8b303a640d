// SPDX-License-Identifier: Apache-2.0

/**
 * What applications see of files and directories: attributes, entries, room, and walks through a
 * tree of names. Values, for applications and all packages of the client. Any thread. Start reading
 * at {@link io.forebay.client.file.FileStat}.
 */
@NullMarked
package io.forebay.client.file;

import org.jspecify.annotations.NullMarked;
