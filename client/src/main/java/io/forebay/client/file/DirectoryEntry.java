// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/** A name in a directory and what it stands for. */
public record DirectoryEntry(String name, FileStat stat) {}
