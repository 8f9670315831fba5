/*
 * A link between two network namespaces: farlink NAMESPACE NAMESPACE ONE_WAY_MICROSECONDS MBIT_PER_SECOND.
 *
 * Makes a TUN device "link" in each namespace (10.9.0.1 and 10.9.0.2) and carries packets between them until it is killed. Each direction has
 * the rate, the delay, and a buffer of 200 ms at that rate. In user space, because netem is not part of every kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 2048, PACKETS = 65536, TURN = 64 };

struct packet {
    uint64_t due;
    uint32_t length;
    unsigned char bytes[LONGEST];
};

struct way {
    int from;
    int to;
    uint64_t free_at;
    uint32_t first;
    uint32_t last;
    struct packet *packets;
};

static uint64_t delay;
static double nanos_per_byte;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

static int device(const char *space) {
    char path[256];
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    int fd;
    snprintf(path, sizeof path, "/var/run/netns/%s", space);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0) die(path);
    close(fd);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    strcpy(request.ifr_name, "link");
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0) die("/dev/net/tun");
    return fd;
}

/* Takes packets from the device; one that finds the buffer full is dropped, as at a router. */
static void take(struct way *way) {
    for (int i = 0; i < TURN; i++) {
        struct packet *packet = &way->packets[way->last % PACKETS];
        uint64_t time = now();
        if (way->last - way->first == PACKETS) return;
        ssize_t length = read(way->from, packet->bytes, LONGEST);
        if (length <= 0) return;
        if (way->free_at < time) way->free_at = time;
        if (way->free_at - time > 200000000u) continue;
        way->free_at += (uint64_t) ((double) length * nanos_per_byte);
        packet->due = way->free_at + delay;
        packet->length = (uint32_t) length;
        way->last++;
    }
}

static void give(struct way *way) {
    uint64_t time = now();
    while (way->first != way->last && way->packets[way->first % PACKETS].due <= time) {
        struct packet *packet = &way->packets[way->first % PACKETS];
        if (write(way->to, packet->bytes, packet->length) < 0 && errno == EAGAIN) return;
        way->first++;
    }
}

static int64_t wait_of(const struct way *way, uint64_t time) {
    if (way->first == way->last) return 100000000;
    uint64_t due = way->packets[way->first % PACKETS].due;
    return due > time ? (int64_t) (due - time) : 0;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "farlink: %d words (expected: 2 namespaces, microseconds one way, Mbit/s)\n", count - 1);
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int near = device(words[1]);
    int far = device(words[2]);
    delay = strtoull(words[3], NULL, 10) * 1000;
    nanos_per_byte = 8000.0 / strtod(words[4], NULL);
    struct way ways[2] = {{.from = near, .to = far}, {.from = far, .to = near}};
    for (int i = 0; i < 2; i++) {
        ways[i].packets = malloc(sizeof(struct packet) * PACKETS);
        if (!ways[i].packets) die("malloc");
    }
    prctl(PR_SET_TIMERSLACK, 1000);
    while (1) {
        struct pollfd ready[2] = {{.fd = near, .events = POLLIN}, {.fd = far, .events = POLLIN}};
        uint64_t time = now();
        int64_t first = wait_of(&ways[0], time);
        int64_t second = wait_of(&ways[1], time);
        int64_t least = first < second ? first : second;
        struct timespec pause = {.tv_sec = 0, .tv_nsec = (long) least};
        ppoll(ready, 2, &pause, NULL);
        for (int i = 0; i < 2; i++) {
            take(&ways[i]);
            give(&ways[i]);
        }
    }
}
