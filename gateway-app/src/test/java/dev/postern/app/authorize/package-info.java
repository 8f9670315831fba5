/** Tests of other proxies that ask a gateway, with the configurations of {@code docs/authorize.md}. */
@NullMarked
package dev.postern.app.authorize;

import org.jspecify.annotations.NullMarked;
