// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/** Runs each call to a store under the class loader of its libraries. */
final class LoaderBoundStore extends WrappedStore {
  private final ClassLoader loader;

  LoaderBoundStore(BackingStore inner, ClassLoader loader) {
    super(inner);
    this.loader = loader;
  }

  @Override
  protected <T> T call(long bytes, Backing.Operation<T> operation) throws BackingException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return operation.on(inner);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
