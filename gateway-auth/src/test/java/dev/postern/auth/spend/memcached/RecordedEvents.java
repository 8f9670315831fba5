package dev.postern.auth.spend.memcached;

import java.util.List;

/** Records the events of a connection. */
record RecordedEvents(List<String> events) implements MarkedConnection.Listener {

    @Override
    public void established() {
        events.add("established");
    }

    @Override
    public void lost() {
        events.add("lost");
    }

    @Override
    public void doubted() {
        events.add("doubt");
    }

    @Override
    public void failed(Throwable cause) {
        events.add("failed");
    }
}
