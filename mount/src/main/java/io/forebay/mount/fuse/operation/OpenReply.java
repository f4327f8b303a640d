// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/**
 * An opened file.
 *
 * @param handle its handle in later requests; not 0
 * @param direct whether to bypass the page cache
 * @param keepCache whether the page cache of the file is still valid
 */
public record OpenReply(long handle, boolean direct, boolean keepCache) {}
