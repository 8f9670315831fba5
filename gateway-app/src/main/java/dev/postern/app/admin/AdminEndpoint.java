package dev.postern.app.admin;

import java.io.IOException;
import java.util.function.Supplier;

/** Endpoint of the admin address. Called by an admin thread, which it may hold until the response is complete. */
@FunctionalInterface
public interface AdminEndpoint {

    /** Responds to the request, once. Throws {@link IOException} when the client has closed the connection. */
    void show(AdminExchange exchange) throws IOException;

    /** Returns an endpoint that responds with a JSON document, created for each request. */
    static AdminEndpoint document(Supplier<?> document) {
        return exchange -> exchange.json(200, document.get());
    }
}
