/** The table of malformed, unusual and forged credentials, and a running gateway that receives all of them. */
@NullMarked
package dev.postern.app.credential;

import org.jspecify.annotations.NullMarked;
