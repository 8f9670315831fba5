package dev.postern.auth.verify;

/**
 * Which crypto provider checks signatures, and why that one.
 *
 * @param name as Java knows it
 * @param why what spoke for it, or against those that come before it
 */
public record CryptoProvider(String name, String why) {}
