// SPDX-License-Identifier: Apache-2.0

/**
 * What an instance's users may write, so that they do not wear out the devices: policies as text,
 * and the limits that follow from them. Pure; any thread.
 *
 * <p>Start reading at {@link io.forebay.ring.protection.ProtectionPolicy}.
 */
@NullMarked
package io.forebay.ring.protection;

import org.jspecify.annotations.NullMarked;
