// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import java.nio.file.Path;

/**
 * A mount that a node should have.
 *
 * @param source the address of what is mounted
 * @param directory where; below the directory of all mounts of the node
 * @param options as {@code -o} takes them; empty for none
 */
public record WantedMount(String source, Path directory, String options) {}
