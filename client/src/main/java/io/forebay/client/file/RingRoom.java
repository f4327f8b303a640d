// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

/**
 * The capacity of the servers that keep an instance, in user bytes: copies do not count. Servers
 * that do not answer are left out. Data of all instances reduces what is free.
 */
public record RingRoom(long totalBytes, long freeBytes) {}
