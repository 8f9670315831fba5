/**
 * TLS on both sides: certificates of listeners, chosen by server name and reloaded when their files change; verification of upstreams. Used
 * by {@code server} and {@code upstream}.
 */
@NullMarked
package dev.postern.core.tls;

import org.jspecify.annotations.NullMarked;
