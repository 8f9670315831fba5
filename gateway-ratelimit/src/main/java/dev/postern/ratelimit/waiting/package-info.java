/**
 * What people and programs in the line see: the sealed ticket cookie, the page, the JSON and the fields of a response. Plain objects; the
 * handlers enter here.
 */
@NullMarked
package dev.postern.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
