package dev.postern.app.credential;

/**
 * Challenges of the gateway for another time, route or issuer than those of the valid token, encoded.
 *
 * @param otherPlace current, for another route or listener
 * @param otherIssuer current, of the other issuer
 * @param otherNamespace current, of a gateway with another namespace and the same ring
 * @param previous issued one window ago
 * @param expired issued three windows ago
 * @param ahead issued two windows from now
 */
record ForeignChallenges(
        byte[] otherPlace, byte[] otherIssuer, byte[] otherNamespace, byte[] previous, byte[] expired, byte[] ahead) {}
