// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/**
 * The content of one frame: a record that {@link io.forebay.wire.codec.MessageTypes} knows.
 * Programs of different versions must agree on it, so components are never reordered; a changed
 * message gets a new code.
 */
public interface Message {}
