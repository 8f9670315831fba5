package dev.postern.core.tls;

import java.nio.file.Path;

/**
 * Key pair files: the paths of a certificate chain and its private key.
 *
 * @param certificate PEM of the chain, leaf first
 * @param key PEM of the leaf's key
 */
public record KeyPairFiles(Path certificate, Path key) {}
