/** In the making. */
@NullMarked
package io.forebay.namespace;

import org.jspecify.annotations.NullMarked;
