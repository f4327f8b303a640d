// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.wire.message.Names;

/**
 * Bytes that were read from the backing store and are a record of the buffer by now.
 *
 * @param session the home's own, which the record belongs to
 * @param settledBelow pieces of the session below it are entered, or given up
 * @param version of the file when they were read
 * @param contentTag what the store called the content that they were read from
 * @param piece the record, and where in the file its bytes are
 */
public record ReadPiece(
    long session,
    long settledBelow,
    long file,
    long version,
    String contentTag,
    Names.Piece piece) {}
