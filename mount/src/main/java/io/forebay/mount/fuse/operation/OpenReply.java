// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/**
 * An opened file.
 *
 * @param handle what later requests name it by; not 0
 * @param direct past the page cache
 * @param keepCache what the page cache has of it still holds
 */
public record OpenReply(long handle, boolean direct, boolean keepCache) {}
