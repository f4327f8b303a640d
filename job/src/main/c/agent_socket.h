// SPDX-License-Identifier: Apache-2.0

/*
 * One request to the agent of this machine, and its answer. The bytes on the socket are described
 * in AgentFrames.java. Any thread may call these functions; there is no state between calls.
 */

#ifndef FOREBAY_AGENT_SOCKET_H
#define FOREBAY_AGENT_SOCKET_H

#include <stddef.h>
#include <stdint.h>

/* An agent that is restarted is back within this time. */
#define FOREBAY_AGENT_RESTART_SECONDS 60
#define FOREBAY_AGENT_RETRY_MILLIS 100

struct forebay_agent_call {
  const char *program;
  const char *const *arguments;
  size_t count;
  int64_t deadline_millis; /* by forebay_agent_now_millis */
};

struct forebay_agent_answer {
  int code;
  char *text;        /* ends with a zero byte behind its bytes; free it */
  size_t bytes;      /* without that zero byte */
  char problem[256]; /* why there is no answer: what the agent does or does not do */
};

/* The path in FOREBAY_AGENT_SOCKET, or the usual one. */
const char *forebay_agent_socket_path(void);

int64_t forebay_agent_now_millis(void);

/*
 * Asks once. Returns 0 and sets code, text and bytes; or sets the problem and returns
 * EHOSTDOWN: no agent listens;
 * ECONNRESET: it has closed the connection without an answer;
 * ETIMEDOUT: it does not answer before the deadline;
 * E2BIG, ENAMETOOLONG: the arguments or the path of the socket are too long;
 * EPROTO: the answer makes no sense; ENOMEM; or the error number of a socket call.
 */
int forebay_agent_ask(const struct forebay_agent_call *call, struct forebay_agent_answer *answer);

#endif
