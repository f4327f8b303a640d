// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/** A name in a directory and its node. */
public record DirectoryEntry(String name, FileStat stat) {}
