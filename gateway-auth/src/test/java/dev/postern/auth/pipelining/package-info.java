/** Random pipelines of requests with tokens against a plain model of what must come of them. */
@NullMarked
package dev.postern.auth.pipelining;

import org.jspecify.annotations.NullMarked;
