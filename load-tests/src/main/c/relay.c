/*
 * The floor that proxies are measured against: relay PORT UPSTREAM_PORT.
 *
 * Bytes of each client connection go to an upstream connection of its own and back. Nothing is parsed, added or logged, so what is left is what
 * the kernel takes for two connections. One thread, one epoll instance, level-triggered: one recv and one send for each message.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 512, BUFFER = 256 * 1024, BACKLOG = 4096 };

/* One end of a relayed connection. */
struct side {
    int fd; /* -1 once it has ended */
    struct side *other;
    char *held; /* what this side could not take at once; while there is any, the other is not read */
    size_t at, end;
    struct side *next; /* among those that have ended */
};

struct relay {
    int epoll;
    int listener;
    struct sockaddr_in upstream;
    struct side *ended; /* freed after the batch of events, which may still name them */
    char buffer[BUFFER];
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_in loopback(const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void control(struct relay *relay, int operation, struct side *side) {
    uint32_t in = side->other->held == NULL ? EPOLLIN : 0;
    uint32_t out = side->held != NULL ? EPOLLOUT : 0;
    struct epoll_event event = {.events = in | out, .data.ptr = side};
    if (epoll_ctl(relay->epoll, operation, side->fd, &event) < 0) die("epoll_ctl");
}

static void end_one(struct relay *relay, struct side *side) {
    close(side->fd);
    side->fd = -1;
    side->next = relay->ended;
    relay->ended = side;
}

static void end_both(struct relay *relay, struct side *side) {
    struct side *other = side->other;
    end_one(relay, side);
    end_one(relay, other);
}

static void free_ended(struct relay *relay) {
    while (relay->ended != NULL) {
        struct side *side = relay->ended;
        relay->ended = side->next;
        free(side->held);
        free(side);
    }
}

static void hold(struct relay *relay, struct side *to, const char *bytes, size_t length) {
    to->held = malloc(length);
    if (to->held == NULL) die("malloc");
    memcpy(to->held, bytes, length);
    to->at = 0;
    to->end = length;
    control(relay, EPOLL_CTL_MOD, to);
    control(relay, EPOLL_CTL_MOD, to->other);
}

/* Returns how many bytes went, 0 where the socket is full, -1 where the connection is no more. */
static ssize_t give(struct side *to, const char *bytes, size_t length) {
    ssize_t sent = send(to->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent >= 0 ? sent : errno == EAGAIN ? 0 : -1;
}

static void readable(struct relay *relay, struct side *from) {
    ssize_t got = recv(from->fd, relay->buffer, BUFFER, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    ssize_t sent = got > 0 ? give(from->other, relay->buffer, (size_t) got) : -1;
    if (sent < 0) {
        end_both(relay, from);
    } else if (sent < got) {
        hold(relay, from->other, relay->buffer + sent, (size_t) (got - sent));
    }
}

static void writable(struct relay *relay, struct side *to) {
    ssize_t sent = give(to, to->held + to->at, to->end - to->at);
    if (sent < 0) {
        end_both(relay, to);
        return;
    }
    to->at += (size_t) sent;
    if (to->at == to->end) {
        free(to->held);
        to->held = NULL;
        control(relay, EPOLL_CTL_MOD, to);
        control(relay, EPOLL_CTL_MOD, to->other);
    }
}

/* Blocking: on loopback a connection is there as soon as the listener's backlog takes it. */
static int dial(struct relay *relay) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) die("socket");
    if (connect(fd, (struct sockaddr *) &relay->upstream, sizeof relay->upstream) < 0) die("connect");
    return fd;
}

static struct side *side_of(int fd) {
    struct side *side = calloc(1, sizeof *side);
    if (side == NULL) die("calloc");
    int on = 1;
    side->fd = fd;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return side;
}

static void acceptable(struct relay *relay) {
    int fd = accept4(relay->listener, NULL, NULL, 0);
    if (fd < 0) return;
    struct side *client = side_of(fd);
    struct side *upstream = side_of(dial(relay));
    client->other = upstream;
    upstream->other = client;
    control(relay, EPOLL_CTL_ADD, client);
    control(relay, EPOLL_CTL_ADD, upstream);
}

static void handle(struct relay *relay, struct epoll_event *event) {
    struct side *side = event->data.ptr;
    if (side == NULL) {
        acceptable(relay);
        return;
    }
    if (side->fd >= 0 && event->events & (EPOLLERR | EPOLLHUP)) end_both(relay, side);
    if (side->fd >= 0 && event->events & EPOLLOUT && side->held != NULL) writable(relay, side);
    if (side->fd >= 0 && event->events & EPOLLIN && side->other->held == NULL) readable(relay, side);
}

int main(int count, char **arguments) {
    static struct relay relay;
    if (count != 3) {
        fprintf(stderr, "usage: relay PORT UPSTREAM_PORT\n");
        return 2;
    }
    struct sockaddr_in here = loopback(arguments[1]);
    int on = 1;
    relay.upstream = loopback(arguments[2]);
    relay.epoll = epoll_create1(0);
    relay.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(relay.listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(relay.listener, (struct sockaddr *) &here, sizeof here) < 0) die("bind");
    if (listen(relay.listener, BACKLOG) < 0) die("listen");
    struct epoll_event listening = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(relay.epoll, EPOLL_CTL_ADD, relay.listener, &listening) < 0) die("epoll_ctl");
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(relay.epoll, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) die("epoll_wait");
        for (int i = 0; i < ready; i++) handle(&relay, &events[i]);
        free_ended(&relay);
    }
}
