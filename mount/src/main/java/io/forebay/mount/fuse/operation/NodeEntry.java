// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/**
 * A name's node.
 *
 * @param attributeSeconds how long the kernel may believe the attributes
 * @param nameSeconds how long it may believe that the name stands for this node
 */
public record NodeEntry(NodeAttributes attributes, double attributeSeconds, double nameSeconds) {}
