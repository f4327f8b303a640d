// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "agent_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x46424131u /* "FBA1" */
#define REQUEST_BYTES_MAX (2u << 20)
#define ANSWER_BYTES_MAX (64u << 20)
#define SOCKET_DEFAULT "/run/forebay/agent.sock"
#define POLL_MILLIS_MAX 3600000

/* A connection, and where its problem is noted. */
struct connection {
  int fd;
  int64_t deadline_millis;
  char *problem;
  size_t problem_bytes;
};

const char *forebay_agent_socket_path(void) {
  const char *path = secure_getenv("FOREBAY_AGENT_SOCKET");
  return path == NULL || *path == '\0' ? SOCKET_DEFAULT : path;
}

int64_t forebay_agent_now_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Notes a problem, and is its number. */
static int failed(const struct connection *agent, int number, const char *what) {
  snprintf(agent->problem, agent->problem_bytes, "%s", what);
  return number;
}

static int failed_with_errno(const struct connection *agent, int number, const char *what) {
  char reason[128];
  const char *text = strerror_r(errno, reason, sizeof reason);
  snprintf(agent->problem, agent->problem_bytes, "%s (%s)", what, text);
  return number;
}

/* Waits until the socket can be read or written. */
static int wait_for(const struct connection *agent, short events) {
  for (;;) {
    int64_t left = agent->deadline_millis - forebay_agent_now_millis();
    if (left <= 0) return failed(agent, ETIMEDOUT, "does not answer");
    struct pollfd polled = {.fd = agent->fd, .events = events};
    int ready = poll(&polled, 1, left < POLL_MILLIS_MAX ? (int)left : POLL_MILLIS_MAX);
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) {
      return failed_with_errno(agent, errno, "cannot be waited for");
    }
  }
}

static int connect_to_agent(const struct connection *agent) {
  const char *path = forebay_agent_socket_path();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    return failed(agent, ENAMETOOLONG, "has too long a path for a socket");
  }
  strcpy(address.sun_path, path);
  while (connect(agent->fd, (struct sockaddr *)&address, sizeof address) != 0) {
    /* EAGAIN: other clients wait to be accepted, as many as the socket allows. */
    if (errno != EAGAIN && errno != EINTR) {
      return failed_with_errno(agent, EHOSTDOWN, "cannot be reached");
    }
    if (forebay_agent_now_millis() >= agent->deadline_millis) {
      return failed(agent, ETIMEDOUT, "does not answer");
    }
    poll(NULL, 0, FOREBAY_AGENT_RETRY_MILLIS);
  }
  return 0;
}

static char *put_number(char *at, uint32_t number) {
  uint32_t big_endian = htonl(number);
  memcpy(at, &big_endian, sizeof big_endian);
  return at + sizeof big_endian;
}

static char *put_text(char *at, const char *text) {
  size_t bytes = strlen(text);
  at = put_number(at, (uint32_t)bytes);
  memcpy(at, text, bytes);
  return at + bytes;
}

static int send_all(const struct connection *agent, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(agent->fd, bytes, count, MSG_NOSIGNAL);
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    } else if (errno == EAGAIN) {
      int error = wait_for(agent, POLLOUT);
      if (error != 0) return error;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return 0; /* The agent may have refused; its answer tells. */
    } else if (errno != EINTR) {
      return failed_with_errno(agent, errno, "takes no request");
    }
  }
  return 0;
}

static int send_request(const struct connection *agent, const struct forebay_agent_call *call) {
  char directory[4096];
  if (getcwd(directory, sizeof directory) == NULL) strcpy(directory, "/");
  size_t bytes = 5 * sizeof(uint32_t) + strlen(call->program) + strlen(directory);
  for (size_t i = 0; i < call->count; i++) bytes += sizeof(uint32_t) + strlen(call->arguments[i]);
  if (bytes > REQUEST_BYTES_MAX) return failed(agent, E2BIG, "takes no arguments as long as these");
  char *request = malloc(2 * sizeof(uint32_t) + bytes);
  if (request == NULL) return failed(agent, ENOMEM, "cannot be asked: there is no memory");
  char *at = put_number(request, MAGIC);
  at = put_number(at, (uint32_t)bytes);
  at = put_number(at, geteuid());
  at = put_number(at, getegid());
  at = put_number(at, (uint32_t)(2 + call->count));
  at = put_text(at, call->program);
  at = put_text(at, directory);
  for (size_t i = 0; i < call->count; i++) at = put_text(at, call->arguments[i]);
  int error = send_all(agent, request, (size_t)(at - request));
  free(request);
  return error;
}

static int receive_all(const struct connection *agent, void *to, size_t count) {
  char *at = to;
  while (count > 0) {
    ssize_t got = recv(agent->fd, at, count, 0);
    if (got > 0) {
      at += got;
      count -= (size_t)got;
    } else if (got == 0 || errno == ECONNRESET) {
      return failed(agent, ECONNRESET, "has closed the connection");
    } else if (errno == EAGAIN) {
      int error = wait_for(agent, POLLIN);
      if (error != 0) return error;
    } else if (errno != EINTR) {
      return failed_with_errno(agent, errno, "gives no answer");
    }
  }
  return 0;
}

static int receive_answer(const struct connection *agent, struct forebay_agent_answer *answer) {
  uint32_t header[3];
  int error = receive_all(agent, header, sizeof header);
  if (error != 0) return error;
  uint32_t bytes = ntohl(header[1]);
  if (ntohl(header[0]) != MAGIC || bytes < sizeof(uint32_t) || bytes > ANSWER_BYTES_MAX) {
    return failed(agent, EPROTO, "is of another version");
  }
  bytes -= sizeof(uint32_t);
  char *text = malloc((size_t)bytes + 1);
  if (text == NULL) return failed(agent, ENOMEM, "has an answer that does not fit into memory");
  error = receive_all(agent, text, bytes);
  if (error != 0) {
    free(text);
    return error;
  }
  text[bytes] = '\0';
  answer->code = (int)ntohl(header[2]);
  answer->text = text;
  answer->bytes = bytes;
  return 0;
}

int forebay_agent_ask(const struct forebay_agent_call *call, struct forebay_agent_answer *answer) {
  answer->text = NULL;
  answer->bytes = 0;
  answer->problem[0] = '\0';
  struct connection agent = {
      .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
      .deadline_millis = call->deadline_millis,
      .problem = answer->problem,
      .problem_bytes = sizeof answer->problem,
  };
  if (agent.fd < 0) return failed_with_errno(&agent, errno, "cannot be reached");
  int error = connect_to_agent(&agent);
  if (error == 0) error = send_request(&agent, call);
  if (error == 0) error = receive_answer(&agent, answer);
  close(agent.fd);
  return error;
}
