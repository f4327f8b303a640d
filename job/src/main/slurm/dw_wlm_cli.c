// SPDX-License-Identifier: Apache-2.0

/*
 * dw_wlm_cli, dwstat and dwcli: one program that does what the name says by which it is called. It
 * hands its arguments to the agent of this machine and prints the answer. Batch systems call it many
 * times a minute and wait for it, so it does nothing else.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_socket.h"

/* For a function that must not hold up a batch system, and for one that ends when its work does. */
#define QUICK_SECONDS 5
#define LONG_SECONDS 86400

static const char *program;

/* Slurm shows what dw_wlm_cli prints in the middle of lines, so no line ends there. */
static const char *line_end(void) {
  return strcmp(program, "dw_wlm_cli") == 0 && !isatty(STDERR_FILENO) ? "" : "\n";
}

/* Whether the caller expects to wait: all functions but these are asked for within seconds. */
static int is_long(int argc, char **argv) {
  static const char *const functions[] = {"setup",    "data_in",  "data_out",         "pre_run",
                                          "post_run", "teardown", "create_persistent"};
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--function") != 0 && strcmp(argv[i], "-f") != 0) continue;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
      if (strcmp(argv[i + 1], functions[f]) == 0) return 1;
    }
  }
  return 0;
}

/* The value of an option; NULL without it. */
static const char *value_of(int argc, char **argv, const char *option) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], option) == 0) return argv[i + 1];
  }
  return NULL;
}

/* Where the answer goes instead of being printed: the variables of a job, into a file of the caller. */
static const char *file_for(int argc, char **argv) {
  const char *function = value_of(argc, argv, "--function");
  if (function == NULL) function = value_of(argc, argv, "-f");
  int paths = function != NULL && strcmp(function, "paths") == 0;
  return paths ? value_of(argc, argv, "--pathfile") : NULL;
}

/* Writes an answer to a file, with the rights of the caller; is the exit code. */
static int write_answer(const char *file, struct forebay_agent_answer *answer) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  size_t done = 0;
  while (fd >= 0 && done < answer->bytes) {
    ssize_t more = write(fd, answer->text + done, answer->bytes - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    done += (size_t)more;
  }
  int failed = fd < 0 || done < answer->bytes;
  if (fd >= 0 && close(fd) != 0) failed = 1;
  if (failed) {
    fprintf(stderr, "%s: cannot write '%s' (%s); see the permissions of its directory%s", program,
            file, strerror(errno), line_end());
  }
  free(answer->text);
  return failed;
}

/* Prints the text of an answer, and is the exit code. */
static int print_answer(struct forebay_agent_answer *answer) {
  int code = answer->code;
  size_t bytes = answer->bytes;
  if (code != 0 && bytes > 0 && answer->text[bytes - 1] == '\n' && *line_end() == '\0') bytes--;
  FILE *out = code == 0 ? stdout : stderr;
  if (fwrite(answer->text, 1, bytes, out) != bytes || fflush(out) != 0) code = 1;
  free(answer->text);
  return code;
}

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  program = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "dw_wlm_cli";
  int waits = is_long(argc, argv);
  struct forebay_agent_call call = {
      .program = program,
      .arguments = (const char *const *)argv + 1,
      .count = argc > 1 ? (size_t)argc - 1 : 0,
      .deadline_millis =
          forebay_agent_now_millis() + (waits ? LONG_SECONDS : QUICK_SECONDS) * 1000LL,
  };
  struct forebay_agent_answer answer;
  int64_t lost_since = 0;
  for (;;) {
    int64_t asked = forebay_agent_now_millis();
    if (forebay_agent_ask(&call, &answer) == 0) {
      const char *file = answer.code == 0 ? file_for(argc, argv) : NULL;
      return file != NULL ? write_answer(file, &answer) : print_answer(&answer);
    }
    /* A connection that lasted was one to an agent that has ended since. */
    int64_t now = forebay_agent_now_millis();
    if (lost_since == 0 || now - asked > FOREBAY_AGENT_RESTART_SECONDS * 1000LL) lost_since = now;
    /* All functions may be repeated. */
    if (!waits || now - lost_since >= FOREBAY_AGENT_RESTART_SECONDS * 1000LL) break;
    poll(NULL, 0, FOREBAY_AGENT_RETRY_MILLIS);
  }
  fprintf(stderr,
          "%s: the agent at %s %s; start 'forebay agent' on this machine, or name its socket in "
          "FOREBAY_AGENT_SOCKET%s",
          program, forebay_agent_socket_path(), answer.problem, line_end());
  return 1;
}
