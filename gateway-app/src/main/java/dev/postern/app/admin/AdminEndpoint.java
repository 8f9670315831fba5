package dev.postern.app.admin;

import java.io.IOException;
import java.util.function.Supplier;

/** Something that the admin address shows. Called by an admin thread of its own, which it may hold for as long as the page takes. */
@FunctionalInterface
public interface AdminEndpoint {

    /** Responses that visit, once. Throws {@link IOException} when the visitor has left. */
    void show(AdminExchange exchange) throws IOException;

    /** A page that is a JSON document, made anew for each visit. */
    static AdminEndpoint document(Supplier<?> document) {
        return exchange -> exchange.json(200, document.get());
    }
}
