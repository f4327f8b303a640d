// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.use;

/**
 * What a home has counted for an instance since the last time.
 *
 * @param bucketMillis the length of the buckets of the instance's window
 * @param bucket the bucket in which the bytes were written
 * @param writtenBytes bytes that clients wrote
 * @param readBytes bytes that clients read
 * @param ssdBytes bytes written to the SSD
 */
public record Counted(
    long bucketMillis, long bucket, long writtenBytes, long readBytes, long ssdBytes) {}
