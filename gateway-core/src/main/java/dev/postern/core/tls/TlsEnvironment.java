package dev.postern.core.tls;

import dev.postern.core.crypto.KeyRing;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What all listeners of a process have in common.
 *
 * @param ring returns the ring in force; its keys seal session tickets, with an engine that permits it
 * @param clock decides whether OCSP responses are in force
 */
public record TlsEnvironment(TlsEngine engine, Supplier<KeyRing> ring, InstantSource clock) {}
