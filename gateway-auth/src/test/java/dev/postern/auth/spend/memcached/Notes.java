package dev.postern.auth.spend.memcached;

import java.util.List;

/** Notes what is told of a connection. */
record Notes(List<String> told) implements MarkedConnection.Listener {

    @Override
    public void established() {
        told.add("established");
    }

    @Override
    public void lost() {
        told.add("lost");
    }

    @Override
    public void doubted() {
        told.add("doubt");
    }

    @Override
    public void failed(Throwable cause) {
        told.add("failed");
    }
}
