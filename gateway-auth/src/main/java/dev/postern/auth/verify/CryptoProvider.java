package dev.postern.auth.verify;

/**
 * Crypto provider that checks signatures, and the reason for its choice.
 *
 * @param name as Java knows it
 * @param why the reason, including the reasons against providers earlier in the order
 * @param perSecond checks per second of one thread, timed right after the self-test, before JIT compilation: only the order of magnitude is
 *     reliable
 */
public record CryptoProvider(String name, String why, double perSecond) {}
