// SPDX-License-Identifier: Apache-2.0

/**
 * Stage in and out: files copied between an instance and a file system that the servers see, on
 * request. The servers do the work and continue if the client disconnects; jobs are kept in the
 * instance itself. Any thread. Start reading at {@link io.forebay.client.stage.Staging}.
 */
@NullMarked
package io.forebay.client.stage;

import org.jspecify.annotations.NullMarked;
