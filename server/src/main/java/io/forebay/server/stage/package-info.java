// SPDX-License-Identifier: Apache-2.0

/**
 * The servers' part of stage in and out: copies files between an instance, as an ordinary client of
 * it, and the file system below the configured roots. One server walks through the source of a
 * stage and cuts it into work; it and the other servers of the instance copy. The loops of seats
 * call {@link io.forebay.server.stage.Stager}, so it must not block. Start reading at {@link
 * io.forebay.server.stage.Stager}, then {@link io.forebay.server.stage.StageWork} and {@link
 * io.forebay.server.stage.OtherServers}, at the other end {@link io.forebay.server.stage.Helper}.
 */
@NullMarked
package io.forebay.server.stage;

import org.jspecify.annotations.NullMarked;
