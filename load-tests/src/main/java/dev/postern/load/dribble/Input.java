package dev.postern.load.dribble;

/**
 * Input of one kind.
 *
 * @param standard name of the input that a byte of this one is compared with; empty for a standard itself
 * @param most CPU time of a byte, as a multiple of the standard's
 * @param sender sends it over one connection
 */
record Input(String name, String standard, double most, Sender sender) {
    /** Sends an input over one connection, until that ends or the turn is over. */
    interface Sender {
        void send(DribbleSite site, Pace pace) throws Exception;
    }
}
