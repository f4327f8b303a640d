// SPDX-License-Identifier: Apache-2.0

/**
 * What the agent does for libdatawarp: stages files of mounted instances on behalf of the calling
 * user, and finds stages by path. All state is in the cluster, so that another agent, or one that
 * is restarted, continues. Any thread. Start reading at {@link
 * io.forebay.job.library.LibraryCommand}.
 */
@NullMarked
package io.forebay.job.library;

import org.jspecify.annotations.NullMarked;
