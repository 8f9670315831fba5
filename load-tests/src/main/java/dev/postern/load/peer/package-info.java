/** Peers of the gateway: proxies of other projects and a relay of bytes, each a process on the measured core. */
@NullMarked
package dev.postern.load.peer;

import org.jspecify.annotations.NullMarked;
