package dev.postern.core.tls;

import java.nio.file.Path;

/**
 * Where a certificate and its key are.
 *
 * @param certificate PEM of the chain, leaf first
 * @param key PEM of the leaf's key
 */
public record KeyPairFiles(Path certificate, Path key) {}
