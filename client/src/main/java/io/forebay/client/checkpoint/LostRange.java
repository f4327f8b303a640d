// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import io.forebay.base.GroupId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Published bytes that no seat can deliver at present.
 *
 * @param name the file's path, or the key of a pair
 * @param pair whether it is a pair's value
 * @param awaited whether a seat that is away may have them: then they may come back with it
 * @param since when a seat first found them damaged, if one did
 */
public record LostRange(
    String name,
    boolean pair,
    long offset,
    long lengthBytes,
    GroupId group,
    boolean awaited,
    @Nullable Instant since) {}
