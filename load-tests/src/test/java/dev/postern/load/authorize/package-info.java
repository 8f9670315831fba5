/** Tests of the tables of questions, and of what is taken from the page of nginx's configuration. */
@NullMarked
package dev.postern.load.authorize;

import org.jspecify.annotations.NullMarked;
