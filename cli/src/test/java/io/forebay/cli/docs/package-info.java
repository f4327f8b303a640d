// SPDX-License-Identifier: Apache-2.0

/**
 * Runs and compiles what README and the other pages show. Start reading at {@code
 * DocumentationTest}.
 */
package io.forebay.cli.docs;
