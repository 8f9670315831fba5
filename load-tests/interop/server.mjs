// Servers on free ports of loopback.
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { MediaType, PRIVATE_TOKEN_ISSUER_DIRECTORY } from '@cloudflare/privacypass-ts';
import { base64url } from './bytes.mjs';

const REQUEST_PATH = '/token-request';

/**
 * Listens on a free port of loopback, responding with the result of the function; an exception becomes status 500.
 *
 * @param tls key and certificate, or nothing for plain HTTP
 */
export async function serve(respond, tls) {
  const listener = async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { status, fields = {}, body = '' } = await respond(request, new Uint8Array(Buffer.concat(chunks)));
      response.writeHead(status, fields).end(body);
    } catch (e) {
      response.writeHead(500).end(String(e));
    }
  };
  const server = tls ? createSecure(tls, listener) : createPlain(listener);
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    name: `127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Serves the addresses of RFC 9578: the directory and token requests.
 *
 * @param listKeys returns the keys of the directory, as pairs of type and public key
 * @param issue returns the response to a token request, or throws
 */
export async function serveIssuer({ listKeys, issue, tls }) {
  const server = await serve(async (request, body) => {
    if (request.url === PRIVATE_TOKEN_ISSUER_DIRECTORY) {
      const directory = {
        'issuer-request-uri': REQUEST_PATH,
        'token-keys': listKeys().map(([type, key]) => ({ 'token-type': type, 'token-key': base64url(key) })),
      };
      const fields = { 'Content-Type': MediaType.PRIVATE_TOKEN_ISSUER_DIRECTORY, 'Cache-Control': 'max-age=300' };
      return { status: 200, fields, body: JSON.stringify(directory) };
    }
    if (request.url !== REQUEST_PATH || request.method !== 'POST') return { status: 404 };
    if (request.headers['content-type'] !== MediaType.PRIVATE_TOKEN_REQUEST) return { status: 415 };
    try {
      return { status: 200, fields: { 'Content-Type': MediaType.PRIVATE_TOKEN_RESPONSE }, body: await issue(body) };
    } catch (e) {
      return { status: 422, body: String(e) };
    }
  }, tls);
  return { ...server, directory: `http${tls ? 's' : ''}://${server.name}${PRIVATE_TOKEN_ISSUER_DIRECTORY}` };
}
