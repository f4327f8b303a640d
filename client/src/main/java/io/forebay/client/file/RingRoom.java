// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/**
 * What the servers that keep an instance can hold, in bytes of users: copies do not count. Servers
 * that do not answer are left out, and what all instances hold is taken off what is free.
 */
public record RingRoom(long totalBytes, long freeBytes) {}
