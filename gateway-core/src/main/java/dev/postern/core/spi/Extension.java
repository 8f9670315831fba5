package dev.postern.core.spi;

/** Extension of the gateway: the common part of all kinds, an order among extensions of one kind. */
public interface Extension {

    /** Returns the priority. Lower comes first; the name of the class decides between equal priorities. */
    default int priority() {
        return 0;
    }
}
