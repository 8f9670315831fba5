/** The table of bad, odd and forged credentials, and a running gateway that all of them are sent to. */
@NullMarked
package dev.postern.app.credential;

import org.jspecify.annotations.NullMarked;
