// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.library.LibFuse;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeEntry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests: exactly once each, on success and failure, with nothing thrown into C. Threads
 * of the session only.
 */
abstract class RequestAnswers {
  /** Sends an answer; returns libfuse's result. */
  interface Answer {
    int send();
  }

  /** Handles a request and returns the answer. */
  interface Work {
    Answer run() throws IOException;
  }

  /** Handles a request without further results. */
  interface DoneWork {
    void run() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(RequestAnswers.class);

  private static final long FH = FuseLayouts.at(FuseLayouts.FILE_INFO, "fh");
  private static final long CTX_UID = FuseLayouts.at(FuseLayouts.CTX, "uid");
  private static final long CTX_GID = FuseLayouts.at(FuseLayouts.CTX, "gid");
  private static final long CTX_PID = FuseLayouts.at(FuseLayouts.CTX, "pid");

  private static final StackWalker STACK = StackWalker.getInstance();

  private final FailureLog failures = new FailureLog(LOG, System::nanoTime);
  final LibFuse library;
  final FuseOperations operations;

  RequestAnswers(LibFuse library, FuseOperations operations) {
    this.library = library;
    this.operations = operations;
  }

  /** Handles the request, unless it is refused at once. */
  final void answer(long request, Work work) {
    answerAlways(
        request,
        () -> {
          operations.admit();
          return work.run();
        });
  }

  final void answerAlways(long request, Work work) {
    Answer answer;
    try {
      answer = work.run();
    } catch (IOException | RuntimeException | Error e) {
      int errno = errnoOf(e);
      failures.failed(() -> operation(request), errno, e);
      answer = () -> library.replyErr(request, errno);
    }
    try {
      int result = answer.send();
      // Usual when the calling program was interrupted, or the mount has ended.
      if (result != 0) LOG.debug("an answer was not taken: error {}", -result);
    } catch (RuntimeException | Error e) {
      LOG.error("an answer could not be sent", e);
    }
  }

  /** The operation, for the log: found out only after a failure. */
  private String operation(long request) {
    String upcalls = getClass().getName();
    String name =
        STACK.walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().equals(upcalls))
                    .map(StackWalker.StackFrame::getMethodName)
                    .reduce("", (inner, outer) -> outer));
    return name + " of process " + caller(request).thread();
  }

  private int errnoOf(Throwable failure) {
    if (failure instanceof ErrnoException number) return number.errno();
    if (failure instanceof CharacterCodingException) return Errno.EILSEQ;
    if (failure instanceof OutOfMemoryError) return Errno.ENOMEM;
    try {
      return operations.errnoOf(failure);
    } catch (RuntimeException | Error e) {
      LOG.error("no error number for {}", failure, e);
      return Errno.EIO;
    }
  }

  final void done(long request, DoneWork work) {
    doneAlways(
        request,
        () -> {
          operations.admit();
          work.run();
        });
  }

  final void doneAlways(long request, DoneWork work) {
    answerAlways(
        request,
        () -> {
          work.run();
          return () -> library.replyErr(request, 0);
        });
  }

  final Caller caller(long request) {
    MemorySegment context = library.context(request);
    return new Caller(
        context.get(JAVA_INT, CTX_UID),
        context.get(JAVA_INT, CTX_GID),
        context.get(JAVA_INT, CTX_PID));
  }

  static long handle(MemorySegment info) {
    return info.address() == 0 ? 0 : info.get(JAVA_LONG, FH);
  }

  /** Names are UTF-8 here; others are refused instead of changed. */
  static String text(MemorySegment name) throws CharacterCodingException {
    String text = name.getString(0);
    if (text.indexOf('\uFFFD') < 0) return text;
    long length = 0;
    while (name.get(JAVA_BYTE, length) != 0) length++;
    ByteBuffer bytes = name.asSlice(0, length).asByteBuffer();
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  static Scratch scratch() {
    return FuseWorker.current().scratch();
  }

  final Answer entry(long request, NodeEntry entry) {
    return () -> library.replyEntry(request, scratch().entry(entry));
  }
}
