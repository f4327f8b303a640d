// SPDX-License-Identifier: Apache-2.0

/**
 * Finding the newest complete checkpoint, and published bytes that are lost. {@link
 * io.forebay.client.checkpoint.Checkpoint}, {@link io.forebay.client.checkpoint.CheckpointQuery}
 * and {@link io.forebay.client.checkpoint.LostRange} are for applications, the searches for {@link
 * io.forebay.client.Forebay}. Each search belongs to the thread that calls it. Start reading at
 * {@link io.forebay.client.checkpoint.CheckpointSearch}.
 */
@NullMarked
package io.forebay.client.checkpoint;

import org.jspecify.annotations.NullMarked;
