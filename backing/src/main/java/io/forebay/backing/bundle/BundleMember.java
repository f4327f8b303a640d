// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.bundle;

import io.forebay.backing.FileAttributes;

/**
 * A file in a bundle.
 *
 * @param path from the store's root, without a leading slash
 */
public record BundleMember(String path, long sizeBytes, FileAttributes attributes) {}
