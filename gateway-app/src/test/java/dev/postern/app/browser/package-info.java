/** The waiting room as people meet it: in a real browser, with and without JavaScript, by eye, ear and keyboard. */
@NullMarked
package dev.postern.app.browser;

import org.jspecify.annotations.NullMarked;
