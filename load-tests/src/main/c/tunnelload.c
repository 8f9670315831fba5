/*
 * Load through a tunnel or a relay, both ends of it: tunnelload KIND WAY PORT CLIENT_PORT DESTINATION_PORT SECONDS PID.
 *
 * KIND: up (datagrams from client to destination), down (the other direction), trip (one datagram there and back at a time), stream (bytes from
 * client to destination). WAY: tunnel (CONNECT-UDP or CONNECT over HTTP/1.1) or direct. PID: the relaying process.
 *
 * Prints: datagrams or bytes received, datagrams lost, seconds, seconds of CPU time of the process, seconds in which this program had nothing to
 * do, median microseconds of a round trip.
 *
 * Client and destination are one thread, which never sleeps except in a trip: no more than WINDOW datagrams are on their way, so that none is
 * lost for want of a buffer, and the relaying process is never without one. Datagrams leave with UDP segmentation and are received several at a
 * time without a copy, so that this program is not the limit.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PAYLOAD = 1200, HEADER = 4, CAPSULE = HEADER + PAYLOAD, BURST = 16, WINDOW = 64, STREAM_BURST = 256 * 1024 };
enum { WAITING = 4 * 1024 * 1024, MAX_TRIPS = 1000 * 1000, SETTLING_SHARE = 4 };

static const uint64_t SECOND = 1000 * 1000 * 1000;
static const uint64_t LOST_AFTER = 200 * 1000 * 1000;

/* One end of the load. */
struct end {
    int fd;
    bool stream;
    size_t unit; /* bytes of one datagram, capsule or byte */
    size_t burst; /* units of one send */
    uint64_t bytes; /* sent or received */
    const char *data; /* two bursts, so that one can begin within the first */
};

struct result {
    uint64_t units;
    uint64_t lost;
    uint64_t waited;
    double median;
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static uint64_t clock_of(clockid_t id) {
    struct timespec time;
    if (clock_gettime(id, &time) < 0) die("clock_gettime");
    return (uint64_t) time.tv_sec * SECOND + (uint64_t) time.tv_nsec;
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t) port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int bound(int type, int port) {
    int fd = socket(AF_INET, type, 0);
    int on = 1, waiting = WAITING;
    struct sockaddr_in here = loopback(port);
    if (fd < 0) die("socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (type == SOCK_DGRAM) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &waiting, sizeof waiting);
    if (bind(fd, (struct sockaddr *) &here, sizeof here) < 0) die("bind");
    return fd;
}

static int connected(int fd, int port) {
    struct sockaddr_in there = loopback(port);
    if (connect(fd, (struct sockaddr *) &there, sizeof there) < 0) die("connect");
    return fd;
}

static int connected_stream(int port) {
    int on = 1;
    int fd = connected(socket(AF_INET, SOCK_STREAM, 0), port);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* Sends the request for a tunnel and reads the head of the response, byte by byte, so that nothing behind it is read. */
static int tunnel(int port, const char *request, const char *expected) {
    char head[4096];
    size_t length = 0;
    int fd = connected_stream(port);
    if (send(fd, request, strlen(request), 0) < 0) die("send");
    while (length < 4 || memcmp(head + length - 4, "\r\n\r\n", 4) != 0) {
        if (length == sizeof head - 1 || recv(fd, head + length, 1, 0) != 1) fail("no response to the request for a tunnel");
        length++;
    }
    head[length] = 0;
    if (strncmp(head, expected, strlen(expected)) != 0) fail(head);
    return fd;
}

static struct end datagrams(int fd) {
    return (struct end) {.fd = fd, .unit = PAYLOAD, .burst = BURST};
}

static struct end capsules(int fd) {
    return (struct end) {.fd = fd, .stream = true, .unit = CAPSULE, .burst = BURST};
}

static struct end bytes(int fd) {
    return (struct end) {.fd = fd, .stream = true, .unit = 1, .burst = STREAM_BURST};
}

/* Fills both bursts: capsules of type 0, length 1,201, context 0; or datagrams without these headers. */
static void fill(struct end *end) {
    size_t length = 2 * end->burst * end->unit;
    char *data = malloc(length);
    if (data == NULL) die("malloc");
    memset(data, 'x', length);
    for (size_t at = 0; end->unit == CAPSULE && at < length; at += CAPSULE) {
        memcpy(data + at, "\x00\x44\xb1\x00", HEADER);
    }
    end->data = data;
}

static void segment(struct end *end) {
    int size = PAYLOAD;
    if (!end->stream && setsockopt(end->fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size) < 0) die("UDP_SEGMENT");
}

/* Sends a burst, or what the socket takes of it. */
static bool give(struct end *to) {
    size_t burst = to->burst * to->unit;
    ssize_t sent = send(to->fd, to->data + to->bytes % burst, burst, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) die("send");
    if (sent > 0) to->bytes += (uint64_t) sent;
    return sent > 0;
}

/* Receives what is there, without a copy: MSG_TRUNC counts the bytes of a stream, and those of a datagram that its buffer is too short for. */
static bool take(struct end *from) {
    static struct mmsghdr messages[WINDOW];
    if (from->stream) {
        ssize_t got = recv(from->fd, NULL, 4 * STREAM_BURST, MSG_TRUNC | MSG_DONTWAIT);
        if (got == 0) fail("the stream ended");
        if (got < 0 && errno != EAGAIN) die("recv");
        if (got > 0) from->bytes += (uint64_t) got;
        return got > 0;
    }
    int got = recvmmsg(from->fd, messages, WINDOW, MSG_TRUNC | MSG_DONTWAIT, NULL);
    if (got < 0 && errno != EAGAIN) die("recvmmsg");
    for (int i = 0; i < got; i++) {
        if (messages[i].msg_len != PAYLOAD) fail("a datagram of another length");
        from->bytes += PAYLOAD;
    }
    return got > 0;
}

static struct result flow(struct end *to, struct end *from, uint64_t length) {
    struct result result = {0};
    uint64_t received_before = from->bytes / from->unit;
    uint64_t now = clock_of(CLOCK_MONOTONIC), end = now + length, moved = now;
    uint64_t on_the_way = to->bytes / to->unit - received_before;
    uint64_t sent_before = to->bytes / to->unit - on_the_way;
    while (now < end) {
        uint64_t sent = to->bytes / to->unit - sent_before;
        uint64_t received = from->bytes / from->unit - received_before + result.lost;
        bool room = to->unit == 1 || sent + BURST <= received + WINDOW;
        bool moves = (room && give(to)) | take(from);
        uint64_t then = clock_of(CLOCK_MONOTONIC);
        if (moves) {
            moved = then;
        } else {
            result.waited += then - now;
            if (to->unit != 1 && then - moved > LOST_AFTER) {
                result.lost += sent - received;
                moved = then;
            }
        }
        now = then;
    }
    result.units = from->bytes / from->unit - received_before;
    return result;
}

static void give_one(struct end *to) {
    if (send(to->fd, to->data, to->unit, MSG_NOSIGNAL) != (ssize_t) to->unit) die("send");
}

static void take_one(struct end *from) {
    char unit[CAPSULE];
    if (recv(from->fd, unit, from->unit, MSG_WAITALL) != (ssize_t) from->unit) die("recv");
    if (memcmp(unit, from->data, from->unit) != 0) fail("a datagram with another content");
}

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *) one, b = *(const uint64_t *) other;
    return (a > b) - (a < b);
}

static struct result trips(struct end *client, struct end *destination, uint64_t length) {
    static uint64_t times[MAX_TRIPS];
    struct result result = {0};
    uint64_t now = clock_of(CLOCK_MONOTONIC), end = now + length;
    while (now < end && result.units < MAX_TRIPS) {
        give_one(client);
        take_one(destination);
        give_one(destination);
        take_one(client);
        uint64_t then = clock_of(CLOCK_MONOTONIC);
        times[result.units++] = then - now;
        now = then;
    }
    qsort(times, result.units, sizeof *times, compare);
    result.median = (double) times[result.units / 2] / 1000;
    return result;
}

static struct result load(const char *kind, struct end *client, struct end *destination, uint64_t length) {
    if (strcmp(kind, "trip") == 0) return trips(client, destination, length);
    return strcmp(kind, "down") == 0 ? flow(destination, client, length) : flow(client, destination, length);
}

static void open_stream(bool direct, int port, int destination_port, struct end *client, struct end *destination) {
    char request[256];
    int listener = bound(SOCK_STREAM, destination_port);
    if (listen(listener, 16) < 0) die("listen");
    snprintf(request, sizeof request, "CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", destination_port, destination_port);
    *client = bytes(direct ? connected_stream(port) : tunnel(port, request, "HTTP/1.1 200"));
    *destination = bytes(accept(listener, NULL, NULL));
    if (destination->fd < 0) die("accept");
    fill(client);
    fill(destination);
}

/* The first datagram shows the destination where to send to. */
static void open_datagrams(bool direct, int port, int client_port, int destination_port, struct end *client, struct end *destination) {
    char request[256], first[PAYLOAD];
    struct sockaddr_in relay;
    socklen_t length = sizeof relay;
    snprintf(request, sizeof request,
             "GET /.well-known/masque/udp/127.0.0.1/%d/ HTTP/1.1\r\nHost: proxy.example\r\nConnection: Upgrade\r\nUpgrade: connect-udp\r\n"
             "Capsule-Protocol: ?1\r\n\r\n",
             destination_port);
    *destination = datagrams(bound(SOCK_DGRAM, destination_port));
    *client = direct ? datagrams(connected(bound(SOCK_DGRAM, client_port), port)) : capsules(tunnel(port, request, "HTTP/1.1 101"));
    fill(client);
    fill(destination);
    give_one(client);
    if (recvfrom(destination->fd, first, sizeof first, 0, (struct sockaddr *) &relay, &length) != PAYLOAD) fail("no first datagram");
    if (connect(destination->fd, (struct sockaddr *) &relay, length) < 0) die("connect");
}

int main(int count, char **arguments) {
    if (count != 8) {
        fprintf(stderr, "usage: tunnelload up|down|trip|stream tunnel|direct PORT CLIENT_PORT DESTINATION_PORT SECONDS PID\n");
        return 2;
    }
    const char *kind = arguments[1];
    bool direct = strcmp(arguments[2], "direct") == 0;
    int port = atoi(arguments[3]), client_port = atoi(arguments[4]), destination_port = atoi(arguments[5]);
    uint64_t length = (uint64_t) (atof(arguments[6]) * (double) SECOND);
    struct end client, destination;
    clockid_t cpu;
    if (clock_getcpuclockid(atoi(arguments[7]), &cpu) != 0) fail("no such process");
    if (strcmp(kind, "stream") == 0) {
        open_stream(direct, port, destination_port, &client, &destination);
    } else {
        open_datagrams(direct, port, client_port, destination_port, &client, &destination);
        if (strcmp(kind, "trip") != 0) {
            segment(&client);
            segment(&destination);
        }
    }
    client.bytes = destination.bytes = 0;
    load(kind, &client, &destination, length / SETTLING_SHARE);
    uint64_t begin = clock_of(CLOCK_MONOTONIC), used = clock_of(cpu);
    struct result result = load(kind, &client, &destination, length);
    used = clock_of(cpu) - used;
    uint64_t took = clock_of(CLOCK_MONOTONIC) - begin;
    printf("%llu %llu %.6f %.6f %.6f %.3f\n", (unsigned long long) result.units, (unsigned long long) result.lost,
           (double) took / 1e9, (double) used / 1e9, (double) result.waited / 1e9, result.median);
}
