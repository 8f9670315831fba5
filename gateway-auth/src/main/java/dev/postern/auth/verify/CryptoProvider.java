package dev.postern.auth.verify;

/**
 * Which crypto provider checks signatures, and why that one.
 *
 * @param name as Java knows it
 * @param why what spoke for it, or against those that come before it
 * @param perSecond checks of one thread, as timed right after the self-test: before anything is compiled, so the order of magnitude counts
 */
public record CryptoProvider(String name, String why, double perSecond) {}
