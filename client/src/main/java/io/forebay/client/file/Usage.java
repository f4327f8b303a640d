// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/**
 * How full an instance is, in user bytes: copies do not count.
 *
 * @param capacityBytes 0 for no limit
 * @param promisedBytes room that clients have taken and not yet filled
 * @param nodes files, directories and links
 */
public record Usage(long capacityBytes, long usedBytes, long promisedBytes, long nodes) {}
