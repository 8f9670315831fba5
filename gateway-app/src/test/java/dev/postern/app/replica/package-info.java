/**
 * Two gateways, each a process of its own: whatever speaks of replicas is proved here.
 */
@NullMarked
package dev.postern.app.replica;

import org.jspecify.annotations.NullMarked;
