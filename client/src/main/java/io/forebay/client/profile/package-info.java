// SPDX-License-Identifier: Apache-2.0

/**
 * What programs did with the files of an instance, as values: counted by {@code count}, kept as
 * files by {@link io.forebay.client.profile.ProfileFolder}, and told in words by {@code page}. Any
 * thread. Start reading at {@link io.forebay.client.profile.Profile}.
 */
@NullMarked
package io.forebay.client.profile;

import org.jspecify.annotations.NullMarked;
