// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.wire.message.Names;

/**
 * Bytes that were read from the backing store and stored as a record of the buffer.
 *
 * @param session the home's own session, which owns the record
 * @param settledBelow pieces of the session with lower numbers are entered or given up
 * @param version the file's version when they were read
 * @param contentTag the store's tag of the content that was read
 * @param piece the record, and where in the file its bytes are
 */
public record ReadPiece(
    long session,
    long settledBelow,
    long file,
    long version,
    String contentTag,
    Names.Piece piece) {}
