// SPDX-License-Identifier: Apache-2.0

/**
 * The two sides of a stage: directories of the instance, and of the file system below the permitted
 * roots. Only {@code io.forebay.server.stage} uses it. Any thread. Start reading at {@link
 * io.forebay.server.stage.side.StageDirectory}.
 */
@NullMarked
package io.forebay.server.stage.side;

import org.jspecify.annotations.NullMarked;
