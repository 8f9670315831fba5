/** First configuration: the answers from which it is written, the questions, and the text. Used by {@code cli}. */
@NullMarked
package dev.postern.app.cli.init;

import org.jspecify.annotations.NullMarked;
