// SPDX-License-Identifier: Apache-2.0

/**
 * Tells people what programs did with their files: in words, in tables, and what would help. Any
 * thread. Start reading at {@link io.forebay.client.profile.page.ProfilePage}.
 */
@NullMarked
package io.forebay.client.profile.page;

import org.jspecify.annotations.NullMarked;
