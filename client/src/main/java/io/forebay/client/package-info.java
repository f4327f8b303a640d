/** In the making. */
@NullMarked
package io.forebay.client;

import org.jspecify.annotations.NullMarked;
