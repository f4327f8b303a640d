// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "request.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "libdatawarp"

/* The agent answers each call within this time, and says "not yet" if a stage goes on. */
#define CALL_SECONDS 60

/* Error texts of the agent's command begin so; others come from the agent itself. */
#define ERROR_PREFIX PROGRAM ": "

void dw_request_free(struct dw_request *request) {
  for (size_t i = 0; i < request->count; i++) free(request->texts[i]);
  free(request->texts);
  memset(request, 0, sizeof *request);
}

/* Adds a text that the request frees from now on; NULL for one that could not be allocated. */
static int dw_request_take(struct dw_request *request, char *text) {
  if (text == NULL) return -ENOMEM;
  if (request->count == request->room) {
    size_t room = request->room == 0 ? 8 : 2 * request->room;
    char **texts = realloc(request->texts, room * sizeof *texts);
    if (texts == NULL) {
      free(text);
      return -ENOMEM;
    }
    request->texts = texts;
    request->room = room;
  }
  request->texts[request->count++] = text;
  request->bytes += strlen(text);
  return 0;
}

int dw_request_add(struct dw_request *request, const char *text) {
  return dw_request_take(request, strdup(text));
}

int dw_request_add_number(struct dw_request *request, long number) {
  char text[NUMBER_BYTES];
  snprintf(text, sizeof text, "%d", (int)number);
  return dw_request_add(request, text);
}

/* Asks once. The answer's text is freed by the caller if 0 is returned. */
int dw_ask(const struct dw_request *request, struct forebay_agent_answer *answer) {
  struct forebay_agent_call call = {
      .program = PROGRAM,
      .arguments = (const char *const *)request->texts,
      .count = request->count,
      .deadline_millis = forebay_agent_now_millis() + CALL_SECONDS * 1000LL,
  };
  int error = forebay_agent_ask(&call, answer);
  if (error != 0) return -error;
  if (answer->code == 0) return 0;
  int known = strncmp(answer->text, ERROR_PREFIX, strlen(ERROR_PREFIX)) == 0;
  free(answer->text);
  answer->text = NULL;
  return known ? -answer->code : -EIO;
}

/* For a program, an agent that went away in the middle is as good as none. */
int dw_for_program(int result) { return result == -ECONNRESET ? -EHOSTDOWN : result; }

/* Asks, and drops the text of the answer. */
int dw_tell(const struct dw_request *request) {
  struct forebay_agent_answer answer;
  int result = dw_ask(request, &answer);
  if (result == 0) free(answer.text);
  return dw_for_program(result);
}

/* Asks until the stage does not go on any more; an agent that was there may be restarted. */
int dw_tell_until_over(const struct dw_request *request) {
  int was_there = 0;
  int64_t lost_since = 0;
  for (;;) {
    struct forebay_agent_answer answer;
    int result = dw_ask(request, &answer);
    if (result == 0) free(answer.text);
    if (result == -EINPROGRESS || result == -ECONNRESET) was_there = 1;
    if (result == -EINPROGRESS) {
      lost_since = 0;
      continue;
    }
    int lost = result == -ECONNRESET || result == -EHOSTDOWN;
    if (!lost || !was_there) return result;
    int64_t now = forebay_agent_now_millis();
    if (lost_since == 0) lost_since = now;
    if (now - lost_since >= FOREBAY_AGENT_RESTART_SECONDS * 1000LL) return -EHOSTDOWN;
    poll(NULL, 0, FOREBAY_AGENT_RETRY_MILLIS);
  }
}

/* The path from the root on, without following links. */
static char *whole_path(const char *path) {
  if (path[0] == '/') return strdup(path);
  char *directory = getcwd(NULL, 0);
  if (directory == NULL) return NULL;
  char *whole = NULL;
  if (asprintf(&whole, "%s/%s", directory, path) < 0) whole = NULL;
  free(directory);
  return whole;
}

static void strip_slashes(char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') path[--length] = '\0';
}

/* Resolves as much of a path as exists; the rest of it may be created by a stage. */
static int resolve_existing(char *path, char **resolved) {
  strip_slashes(path);
  char *end = path + strlen(path);
  for (char *at = end; at > path;) {
    while (at > path && *--at != '/') {
    }
    if (at == path) break;
    *at = '\0';
    char *real = realpath(path, NULL);
    *at = '/';
    if (real == NULL && errno != ENOENT) return -errno;
    if (real == NULL) continue;
    int length = asprintf(resolved, "%s%s", real, at);
    free(real);
    return length < 0 ? -ENOMEM : 0;
  }
  *resolved = strdup(path);
  return *resolved == NULL ? -ENOMEM : 0;
}

/* Adds a path in the buffer, as the kernel's table of mounts knows it. */
int dw_request_add_buffer_path(struct dw_request *request, const char *path) {
  if (path == NULL || *path == '\0') return -EINVAL;
  char *resolved = realpath(path, NULL);
  if (resolved == NULL) {
    if (errno != ENOENT) return -errno;
    char *whole = whole_path(path);
    if (whole == NULL) return -errno;
    int result = resolve_existing(whole, &resolved);
    free(whole);
    if (result != 0) return result;
  }
  return dw_request_take(request, resolved);
}

/* Adds a path of the servers' file systems; this machine may see other files, or none. */
int dw_request_add_outside_path(struct dw_request *request, const char *path) {
  if (path == NULL || *path == '\0') return -EINVAL;
  char *whole = whole_path(path);
  if (whole == NULL) return -errno;
  strip_slashes(whole);
  return dw_request_take(request, whole);
}
