/** Tests that compare the docs with the code. */
@NullMarked
package dev.postern.app.docs;

import org.jspecify.annotations.NullMarked;
