// SPDX-License-Identifier: Apache-2.0

/**
 * The servers' part of stage in and out: copies files between an instance, as an ordinary client of
 * it, and the file system below the configured roots. Each stage has a thread that walks and
 * threads that copy. The loops of seats call {@link io.forebay.server.stage.Stager}, so it must not
 * block. Start reading at {@link io.forebay.server.stage.Stager}, then {@link
 * io.forebay.server.stage.StageWork}.
 */
@NullMarked
package io.forebay.server.stage;

import org.jspecify.annotations.NullMarked;
