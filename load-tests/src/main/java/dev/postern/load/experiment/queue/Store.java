package dev.postern.load.experiment.queue;

/** Store of the rate limits and rooms, with the number of gateways that use it at the same time. */
enum Store {
    MEMORY("embedded", 1),
    REDIS("redis", 2);

    private final String yaml;
    private final int gateways;

    Store(String yaml, int gateways) {
        this.yaml = yaml;
        this.gateways = gateways;
    }

    /** Returns the value of {@code store} in the configuration. */
    String yaml() {
        return yaml;
    }

    int gateways() {
        return gateways;
    }
}
