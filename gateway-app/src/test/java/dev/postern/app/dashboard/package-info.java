/** Tests of the dashboards and rules that come with the gateway, and of the meters in their queries. */
@NullMarked
package dev.postern.app.dashboard;

import org.jspecify.annotations.NullMarked;
