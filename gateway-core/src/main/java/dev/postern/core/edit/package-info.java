/**
 * What a route changes of the requests and answers that pass it, and what it answers by itself: fields, paths, redirects, maintenance.
 * Plain rules; whoever adds one enters here and names it in {@link dev.postern.core.edit.Treatment}.
 */
@NullMarked
package dev.postern.core.edit;

import org.jspecify.annotations.NullMarked;
