// SPDX-License-Identifier: Apache-2.0

/**
 * How a client proves its user where it has no certificate. Any thread that may block. Start
 * reading at {@link io.forebay.client.proof.UserCredentials}.
 */
@NullMarked
package io.forebay.client.proof;

import org.jspecify.annotations.NullMarked;
