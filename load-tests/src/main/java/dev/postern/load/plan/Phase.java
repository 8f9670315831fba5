package dev.postern.load.plan;

/**
 * Phase of a simulation: arrivals at a constant rate.
 *
 * @param start seconds after the start of the simulation
 * @param rate arrivals per second
 */
public record Phase(String name, int start, int rate, int seconds) {
    public int users() {
        return rate * seconds;
    }
}
