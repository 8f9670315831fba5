/* CPU time of another process in nanoseconds, all its threads, those that ended included: /proc shows it in ticks of 10 ms only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    clockid_t clock;
    struct timespec used;
    int error;

    if (argc != 2) {
        fprintf(stderr, "usage: %s PID\n", argv[0]);
        return 2;
    }
    error = clock_getcpuclockid((pid_t) atol(argv[1]), &clock);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(error));
        return 1;
    }
    if (clock_gettime(clock, &used) != 0) {
        perror(argv[1]);
        return 1;
    }
    printf("%lld\n", (long long) used.tv_sec * 1000000000LL + used.tv_nsec);
    return 0;
}
