// SPDX-License-Identifier: Apache-2.0

/*
 * dw_wlm_cli, dwstat and dwcli: one program that does what the name says by which it is called. It
 * hands its arguments to the agent of this machine and prints the answer. Batch systems call it many
 * times a minute and wait for it, so it does nothing else.
 *
 * The bytes on the socket are described in AgentFrames.java.
 */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
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

/* For a function that must not hold up a batch system, and for one that ends when its work does. */
#define QUICK_SECONDS 5
#define LONG_SECONDS 86400

/* An agent that is restarted is back within this time. All functions may be repeated. */
#define RESTART_SECONDS 60
#define RETRY_MILLIS 100

static const char *program;
static const char *socket_path;
static int64_t deadline_millis;

/* Why the agent gave no answer. */
static char problem[256];

static int64_t now_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Slurm shows what dw_wlm_cli prints in the middle of lines, so no line ends there. */
static const char *line_end(void) {
  return strcmp(program, "dw_wlm_cli") == 0 && !isatty(STDERR_FILENO) ? "" : "\n";
}

/* Notes a problem, and is false. */
static int failed(const char *what) {
  snprintf(problem, sizeof problem, "%s", what);
  return 0;
}

static int failed_with_errno(const char *what) {
  snprintf(problem, sizeof problem, "%s (%s)", what, strerror(errno));
  return 0;
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

/* Waits until the socket can be read or written. */
static int wait_for(int fd, short events) {
  for (;;) {
    int64_t left = deadline_millis - now_millis();
    if (left <= 0) return failed("does not answer");
    struct pollfd polled = {.fd = fd, .events = events};
    int ready = poll(&polled, 1, (int)left);
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return failed_with_errno("cannot be waited for");
  }
}

static int connect_to_agent(int fd) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(socket_path) >= sizeof address.sun_path) {
    return failed("has too long a path for a socket");
  }
  strcpy(address.sun_path, socket_path);
  while (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    /* EAGAIN: others wait to be accepted, as many as the socket allows. */
    if (errno != EAGAIN && errno != EINTR) return failed_with_errno("cannot be reached");
    if (now_millis() >= deadline_millis) return failed("does not answer");
    poll(NULL, 0, RETRY_MILLIS);
  }
  return 1;
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

static int send_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    } else if (errno == EAGAIN) {
      if (!wait_for(fd, POLLOUT)) return 0;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return 1; /* The agent may have refused; its answer tells. */
    } else if (errno != EINTR) {
      return failed_with_errno("takes no request");
    }
  }
  return 1;
}

static int send_request(int fd, int argc, char **argv) {
  char directory[4096];
  if (getcwd(directory, sizeof directory) == NULL) strcpy(directory, "/");
  size_t bytes = 5 * sizeof(uint32_t) + strlen(program) + strlen(directory);
  for (int i = 1; i < argc; i++) bytes += sizeof(uint32_t) + strlen(argv[i]);
  if (bytes > REQUEST_BYTES_MAX) return failed("takes no arguments as long as these");
  char *request = malloc(2 * sizeof(uint32_t) + bytes);
  if (request == NULL) return failed("cannot be asked: there is no memory");
  char *at = put_number(request, MAGIC);
  at = put_number(at, (uint32_t)bytes);
  at = put_number(at, geteuid());
  at = put_number(at, getegid());
  at = put_number(at, (uint32_t)(2 + argc - 1));
  at = put_text(at, program);
  at = put_text(at, directory);
  for (int i = 1; i < argc; i++) at = put_text(at, argv[i]);
  int sent = send_all(fd, request, (size_t)(at - request));
  free(request);
  return sent;
}

static int receive_all(int fd, void *to, size_t count) {
  char *at = to;
  while (count > 0) {
    ssize_t got = recv(fd, at, count, 0);
    if (got > 0) {
      at += got;
      count -= (size_t)got;
    } else if (got == 0) {
      return failed("has closed the connection");
    } else if (errno == EAGAIN) {
      if (!wait_for(fd, POLLIN)) return 0;
    } else if (errno != EINTR) {
      return failed_with_errno("gives no answer");
    }
  }
  return 1;
}

/* Prints the text of an answer and sets the exit code. */
static int print_answer(int fd, int *code) {
  uint32_t header[3];
  if (!receive_all(fd, header, sizeof header)) return 0;
  uint32_t bytes = ntohl(header[1]);
  if (ntohl(header[0]) != MAGIC || bytes < sizeof(uint32_t) || bytes > ANSWER_BYTES_MAX) {
    return failed("is of another version");
  }
  bytes -= sizeof(uint32_t);
  char *text = malloc(bytes + 1);
  if (text == NULL) return failed("has an answer that does not fit into memory");
  int received = receive_all(fd, text, bytes);
  if (received) {
    *code = (int)ntohl(header[2]);
    if (*code != 0 && bytes > 0 && text[bytes - 1] == '\n' && *line_end() == '\0') bytes--;
    FILE *out = *code == 0 ? stdout : stderr;
    if (fwrite(text, 1, bytes, out) != bytes || fflush(out) != 0) *code = 1;
  }
  free(text);
  return received;
}

/* Asks the agent once; nothing is printed if there is no answer. */
static int ask(int argc, char **argv, int *code) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return failed_with_errno("cannot be reached");
  int answered =
      connect_to_agent(fd) && send_request(fd, argc, argv) && print_answer(fd, code);
  close(fd);
  return answered;
}

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  program = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "dw_wlm_cli";
  socket_path = getenv("FOREBAY_AGENT_SOCKET");
  if (socket_path == NULL || *socket_path == '\0') socket_path = SOCKET_DEFAULT;
  int waits = is_long(argc, argv);
  deadline_millis = now_millis() + (waits ? LONG_SECONDS : QUICK_SECONDS) * 1000LL;
  int code = 0;
  int64_t lost_since = 0;
  for (;;) {
    int64_t asked = now_millis();
    if (ask(argc, argv, &code)) return code;
    /* A connection that lasted was one to an agent that has ended since. */
    if (lost_since == 0 || now_millis() - asked > RESTART_SECONDS * 1000LL) {
      lost_since = now_millis();
    }
    if (!waits || now_millis() - lost_since >= RESTART_SECONDS * 1000LL) break;
    poll(NULL, 0, RETRY_MILLIS);
  }
  fprintf(stderr,
          "%s: the agent at %s %s; start 'forebay agent' on this machine, or name its socket in "
          "FOREBAY_AGENT_SOCKET%s",
          program, socket_path, problem, line_end());
  return 1;
}
