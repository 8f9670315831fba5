"""Link between two TUN devices: delay, random loss, rate and a bounded buffer, each direction on its own."""
import gc
import json
import os
import random
import select
import sys
import time
from collections import deque


class Link:
    """One direction of a link. Its clock is the caller's, in seconds.

    A packet that finds the buffer full is dropped. A packet lost at random is lost behind the bottleneck: it takes its time there.
    """

    def __init__(self, rate, delay, loss, buffer, seed):
        self.rate, self.delay, self.loss, self.buffer = rate, delay, loss, buffer
        self.random = random.Random(seed)
        self.free_at = 0.0
        self.departures = deque()
        self.travelling = deque()
        self.dropped = self.lost = self.sent = 0

    def send(self, now, packet):
        while self.departures and self.departures[0] <= now:
            self.departures.popleft()
        if len(self.departures) >= self.buffer:
            self.dropped += 1
            return
        self.free_at = max(now, self.free_at) + len(packet) * 8 / self.rate
        self.departures.append(self.free_at)
        self.sent += 1
        if self.random.random() < self.loss:
            self.lost += 1
        else:
            self.travelling.append((self.free_at + self.delay, packet))

    def queueing_delay(self, now):
        """Returns how long a packet that is sent now waits before its own transmission."""
        return max(0.0, self.free_at - now)

    def next_arrival(self):
        return self.travelling[0][0] if self.travelling else None

    def arrived(self, now):
        """Yields the packets that have arrived, and how late they are taken."""
        while self.travelling and self.travelling[0][0] <= now:
            at, packet = self.travelling.popleft()
            yield packet, now - at


def emulate(data_fd, ack_fd, data, acks, interval=0.1):
    """Carries packets until the process ends, and prints a JSON line per interval. Data flow from data_fd to ack_fd."""
    clock, late, next_line = time.monotonic, 0.0, time.monotonic() + interval
    ways = ((data_fd, ack_fd, data), (ack_fd, data_fd, acks))
    while True:
        now = clock()
        arrivals = [at for at in (data.next_arrival(), acks.next_arrival()) if at is not None]
        ready, _, _ = select.select([data_fd, ack_fd], [], [], max(0.0, min(arrivals + [next_line]) - now))
        for source, target, link in ways:
            if source in ready:
                receive(source, link, clock)
            for packet, lateness in link.arrived(clock()):
                late = max(late, lateness)
                os.write(target, packet)
        if clock() >= next_line:
            now, next_line = clock(), next_line + interval
            line = {"time": now, "queue": data.queueing_delay(now), "sent": data.sent, "lost": data.lost, "dropped": data.dropped, "late": late}
            print(json.dumps(line), flush=True)
            late = 0.0


def receive(source, link, clock):
    try:
        for _ in range(64):
            link.send(clock(), os.read(source, 2048))
    except BlockingIOError:
        return


if __name__ == "__main__":
    fd_a, fd_b, shape = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    gc.disable()
    # A late packet is a burst for the receiver, from which BBR concludes a faster link: nothing else may delay this process.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    half = shape["rtt"] / 2
    emulate(
        fd_a, fd_b,
        Link(shape["rate"], half, shape["loss"], shape["buffer"], shape["seed"]),
        Link(shape["rate"], half, 0, shape["buffer"], shape["seed"]))
