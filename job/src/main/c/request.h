// SPDX-License-Identifier: Apache-2.0

/*
 * The requests of libdatawarp: the texts of one call, and how the agent is asked. Functions of type
 * int return 0 or a negative error number.
 */

#ifndef FOREBAY_DATAWARP_REQUEST_H
#define FOREBAY_DATAWARP_REQUEST_H

#include <stddef.h>

#include "agent_socket.h"

/* Room for a decimal number of 32 bits. */
#define NUMBER_BYTES 16

/* A request under construction: it owns its texts. All zeros is an empty one. */
struct dw_request {
  char **texts;
  size_t count;
  size_t room;
  size_t bytes;
};

void dw_request_free(struct dw_request *request);

int dw_request_add(struct dw_request *request, const char *text);

int dw_request_add_number(struct dw_request *request, long number);

/* Adds a path in the buffer, as the kernel's table of mounts knows it. */
int dw_request_add_buffer_path(struct dw_request *request, const char *path);

/* Adds a path of the servers' file systems; this machine may see other files, or none. */
int dw_request_add_outside_path(struct dw_request *request, const char *path);

/* Asks once. The answer's text is freed by the caller if 0 is returned. */
int dw_ask(const struct dw_request *request, struct forebay_agent_answer *answer);

/* For a program, an agent that went away in the middle is as good as none. */
int dw_for_program(int result);

/* Asks, and drops the text of the answer. */
int dw_tell(const struct dw_request *request);

/* Asks until the stage does not go on any more; an agent that was there may be restarted. */
int dw_tell_until_over(const struct dw_request *request);

#endif
