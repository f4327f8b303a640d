// SPDX-License-Identifier: Apache-2.0

/**
 * The bytes of files and pairs: cut into pieces, sent to groups until acknowledged, published, and
 * read back, with the client's own unpublished pieces on top. Pure; called by the client's loop
 * only. Start reading at {@link io.forebay.client.core.content.FileContent} for writing, at {@link
 * io.forebay.client.core.content.read.RangeRead} for reading.
 */
@NullMarked
package io.forebay.client.core.content;

import org.jspecify.annotations.NullMarked;
