package dev.postern.core.spi;

/** What all extensions have in common: their place among others of their kind. */
public interface Extension {

    /** Lower comes first; where it is the same, the name of the class decides. */
    default int priority() {
        return 0;
    }
}
