/**
 * Demo: issuer, sample site, echo socket and gateway in one process, assembled and configured like any gateway, and a client that exercises them. Used
 * by {@code cli}.
 */
@NullMarked
package dev.postern.app.demo;

import org.jspecify.annotations.NullMarked;
