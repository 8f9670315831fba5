/** Tests of gateways that run in processes of their own, among them replicas. */
@NullMarked
package dev.postern.app.replica;

import org.jspecify.annotations.NullMarked;
