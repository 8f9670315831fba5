package dev.postern.load.simulation;

import com.typesafe.scalalogging.Logger;
import com.typesafe.scalalogging.Logger$;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.Session;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Blocking request of a client that is not Gatling's, on a thread of a bounded pool, which Gatling counts and times like one of its own. For
 * tunnels: Gatling's HTTP client uses CONNECT only to reach a site through a proxy, and has neither raw bytes nor capsules.
 *
 * @param name of the request in the report
 */
record Blocking(String name, Call call) implements io.gatling.javaapi.core.ActionBuilder {
    /** As many requests at once; more of them wait, and their time includes the wait. */
    private static final int THREADS = 256;

    private static final ExecutorService POOL = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "blocking");
        thread.setDaemon(true);
        return thread;
    });

    /** Request that returns the session that continues. */
    interface Call {
        Session send(Session session) throws IOException;
    }

    @Override
    public ActionBuilder asScala() {
        return new ActionBuilder() {
            @Override
            public Action build(ScenarioContext context, Action next) {
                return new Request(name, call, context.coreComponents(), next);
            }
        };
    }

    private static final class Request implements Action {
        private final String name;
        private final Call call;
        private final CoreComponents gatling;
        private final Action next;
        private Logger logger = Logger$.MODULE$.apply(LoggerFactory.getLogger(Blocking.class));

        Request(String name, Call call, CoreComponents gatling, Action next) {
            this.name = name;
            this.call = call;
            this.gatling = gatling;
            this.next = next;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void execute(io.gatling.core.session.Session session) {
            long start = gatling.clock().nowMillis();
            POOL.execute(() -> send(session, start));
        }

        private void send(io.gatling.core.session.Session session, long start) {
            try {
                Session after = call.send(new Session(session));
                end(session, start, OK$.MODULE$, null);
                next.$bang(after.asScala());
            } catch (IOException | RuntimeException e) {
                end(session, start, KO$.MODULE$, String.valueOf(e));
                next.$bang(session.markAsFailed());
            }
        }

        private void end(io.gatling.core.session.Session session, long start, Status status, @Nullable String message) {
            gatling.statsEngine()
                    .logResponse(
                            session.scenario(),
                            session.groups(),
                            name,
                            start,
                            gatling.clock().nowMillis(),
                            status,
                            Option.empty(),
                            Option.apply(message));
        }

        @Override
        public Logger logger() {
            return logger;
        }

        @Override
        public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger changed) {
            logger = changed;
        }
    }
}
