// SPDX-License-Identifier: Apache-2.0

/**
 * Stage in and out: files copied between an instance and a file system that the servers see,
 * because somebody asked. The work is done by the servers and goes on whether or not who asked is
 * still there; jobs are kept in the instance itself. Any thread. Start reading at {@link
 * io.forebay.client.stage.Staging}.
 */
@NullMarked
package io.forebay.client.stage;

import org.jspecify.annotations.NullMarked;
