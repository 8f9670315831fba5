/*
 * The floor that UDP tunnels are measured against: udprelay PORT CLIENT_PORT DESTINATION_PORT.
 *
 * Datagrams of one client go to one destination and back; one thread for each direction, one recv and one send for each datagram. Both sockets
 * are connected, so that the kernel looks no route up for a datagram.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { LONGEST = 65536, WAITING = 4 * 1024 * 1024 };

struct direction {
    int from;
    int to;
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

static int connected(const char *own, const char *other) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int waiting = WAITING;
    struct sockaddr_in here = loopback(own);
    struct sockaddr_in there = loopback(other);
    if (fd < 0) die("socket");
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &waiting, sizeof waiting);
    if (bind(fd, (struct sockaddr *) &here, sizeof here) < 0) die("bind");
    if (connect(fd, (struct sockaddr *) &there, sizeof there) < 0) die("connect");
    return fd;
}

/* An error is that of an earlier datagram, to an end that is not there (any more). */
static void *relay(void *argument) {
    struct direction *direction = argument;
    char *datagram = malloc(LONGEST);
    if (datagram == NULL) die("malloc");
    for (;;) {
        ssize_t length = recv(direction->from, datagram, LONGEST, 0);
        if (length >= 0) send(direction->to, datagram, (size_t) length, 0);
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: udprelay PORT CLIENT_PORT DESTINATION_PORT\n");
        return 2;
    }
    int client = connected(arguments[1], arguments[2]);
    int destination = connected("0", arguments[3]);
    struct direction there = {client, destination};
    struct direction back = {destination, client};
    pthread_t thread;
    if (pthread_create(&thread, NULL, relay, &back) != 0) die("pthread_create");
    relay(&there);
}
