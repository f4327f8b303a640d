// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** The calling thread and its identity. */
public record Caller(int user, int group, int thread) {}
