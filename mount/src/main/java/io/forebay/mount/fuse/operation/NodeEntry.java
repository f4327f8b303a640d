// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/**
 * A name's node.
 *
 * @param attributeSeconds how long the kernel may cache the attributes
 * @param nameSeconds how long it may cache the name
 */
public record NodeEntry(NodeAttributes attributes, double attributeSeconds, double nameSeconds) {}
