/**
 * TLS on both sides: certificates of listeners, chosen by name and read again when their files change; upstreams that prove who they are.
 */
@NullMarked
package dev.postern.core.tls;

import org.jspecify.annotations.NullMarked;
