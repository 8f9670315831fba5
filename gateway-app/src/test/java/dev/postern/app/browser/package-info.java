/** The waiting room and other pages in a real browser: with and without JavaScript, visually, for screen readers, and by keyboard. */
@NullMarked
package dev.postern.app.browser;

import org.jspecify.annotations.NullMarked;
