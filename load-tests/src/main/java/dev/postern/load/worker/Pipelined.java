package dev.postern.load.worker;

/**
 * Result of pipelined requests on one connection.
 *
 * @param p50Micros median time from a request to its response
 */
public record Pipelined(Throughput throughput, double p50Micros) {
    /** Returns the line of the worker's response. */
    String line() {
        return p50Micros + " " + throughput.line();
    }

    /** Reads {@link #line()}. */
    public static Pipelined parse(String line) {
        String[] words = line.split(" ", 2);
        return new Pipelined(Throughput.parse(words[1]), Double.parseDouble(words[0]));
    }
}
