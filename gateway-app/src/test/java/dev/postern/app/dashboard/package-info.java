/** Tests of the dashboards and rules that come with the gateway, and of the meters that they ask for. */
@NullMarked
package dev.postern.app.dashboard;

import org.jspecify.annotations.NullMarked;
