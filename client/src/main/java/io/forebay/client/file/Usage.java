// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/**
 * How full an instance is, in user bytes: copies do not count.
 *
 * <p>A client of the tree of all nodes sees what all trees use, with a capacity. A client of a
 * private tree sees what that tree uses.
 *
 * @param capacityBytes of all trees together; 0 for no limit
 * @param promisedBytes room that clients have taken and not yet filled
 * @param nodes files, directories and links
 */
public record Usage(long capacityBytes, long usedBytes, long promisedBytes, long nodes) {}
