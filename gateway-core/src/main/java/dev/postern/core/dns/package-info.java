/**
 * DNS: which name servers are queried and how, look-ups of both address families, and the owner of an address by its reverse names. Used by
 * the application, by the modules for tokens and rate limits for the names of their stores, and by rate limits for crawlers.
 */
@NullMarked
package dev.postern.core.dns;

import org.jspecify.annotations.NullMarked;
