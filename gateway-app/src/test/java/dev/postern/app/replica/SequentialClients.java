package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Clients that send requests one after the other, each on its own connection, until closed. */
final class SequentialClients implements AutoCloseable {

    private final LongAdder responded = new LongAdder();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean finished;

    SequentialClients(int port, int clients) {
        for (int i = 0; i < clients; i++) {
            Thread client = new Thread(() -> ask(port), "load");
            client.setDaemon(true);
            client.start();
            this.clients.add(client);
        }
    }

    private void ask(int port) {
        try (RawClient client = new RawClient(port)) {
            while (!finished) {
                if (client.get("/").status() == 200) {
                    responded.increment();
                }
            }
        }
    }

    long responded() {
        return responded.sum();
    }

    @Override
    public void close() {
        finished = true;
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
