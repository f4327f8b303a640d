// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/**
 * An advisory lock that a program requests, holds, or releases.
 *
 * @param whole whether flock(2) asks; else fcntl(2) does
 * @param owner the holder in the kernel: a process, or an open file
 * @param first the first byte
 * @param last the last byte; {@link Long#MAX_VALUE} for all behind
 */
public record LockRequest(
    long node, boolean whole, long owner, int process, boolean exclusive, long first, long last) {}
