// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.FileAttributes;

/**
 * A file in a pack.
 *
 * @param path from the store's root, without a leading slash
 */
public record PackMember(String path, long sizeBytes, FileAttributes attributes) {}
