/**
 * Endpoints of the admin address: which path shows or changes what, and the health of the parts that probes report. The pages of
 * {@code flame} and {@code live} are among them. Used by the root package.
 */
@NullMarked
package dev.postern.app.admin.endpoint;

import org.jspecify.annotations.NullMarked;
