/** Random pipelines of requests with tokens, compared with a simple model. */
@NullMarked
package dev.postern.auth.pipelining;

import org.jspecify.annotations.NullMarked;
