package dev.postern.app.credential;

/**
 * Real challenges of the gateway for another time or place than the good token's, encoded.
 *
 * @param otherPlace asked now, on another route or listener
 * @param otherIssuer asked now and here, of the other issuer
 * @param otherNamespace what a gateway of another namespace with the same ring would ask here
 * @param previous asked here one window ago
 * @param expired asked here three windows ago
 * @param ahead to be asked here two windows from now
 */
record Elsewhere(
        byte[] otherPlace, byte[] otherIssuer, byte[] otherNamespace, byte[] previous, byte[] expired, byte[] ahead) {}
