// The server behind the gateway, in Node: HTTP/1.1, HTTP/2 by prior knowledge, and both over TLS for tunnels of the forward proxy.
// Prints its ports as one line of JSON. Arguments: the files of certificate and key.
import {createHash} from "node:crypto";
import {readFileSync} from "node:fs";
import {createServer} from "node:http";
import {createServer as createH2c, createSecureServer} from "node:http2";

const reports = [];

// Routes of the gateway that need a response of their own have a first segment of their own, which means nothing here.
const target = url => url.replace(/^\/(h2|token|small|session|room)(?=\/)/, "");

const hello = (request, response) => send(response, 200, {"content-type": "text/plain"}, "hello\n");
const paths = {
  "/hello": hello,
  "/none": (request, response) => response.writeHead(204).end(),
  "/none-with-length": (request, response) => response.writeHead(204, {"content-length": "0"}).end(),
  "/redirect": (request, response) => send(response, 302, {location: "hello"}, ""),
  "/cookies": (request, response) => send(response, 200, {"set-cookie": ["first=1; Path=/", "second=2; Path=/"]}, request.headers.cookie ?? ""),
  "/echo": (request, response) => request.pipe(response.writeHead(200)),
  "/digest": digest,
  "/early": (request, response) => send(response, 413, {}, "too large\n"),
  "/hints": (request, response) => {
    response.writeEarlyHints({link: "</style.css>; rel=preload"});
    setTimeout(hello, 50, request, response);
  },
  "/pieces": pieces,
  "/page": (request, response) => send(response, 200, {"content-type": "text/html"}, readFileSync(new URL("page.html", import.meta.url))),
  "/report": report,
};

function send(response, status, fields, body) {
  response.writeHead(status, {...fields, "content-length": Buffer.byteLength(body)});
  response.end(response.req?.method === "HEAD" ? undefined : body);
}

function digest(request, response) {
  const hash = createHash("sha256");
  request.on("data", piece => hash.update(piece));
  request.on("end", () => send(response, 200, {}, hash.digest("hex")));
}

// Five lines, 50 ms apart.
function pieces(request, response) {
  response.writeHead(200, {"content-type": "application/x-ndjson"});
  let count = 0;
  const timer = setInterval(() => {
    response.write(`${JSON.stringify({line: ++count})}\n`);
    if (count === 5) {
      clearInterval(timer);
      response.end();
    }
  }, 50);
}

// What a page found: POST keeps it, GET tells it.
function report(request, response) {
  if (request.method === "GET") {
    send(response, 200, {}, JSON.stringify(reports));
    return;
  }
  const pieces = [];
  request.on("data", piece => pieces.push(piece));
  request.on("end", () => {
    reports.push(JSON.parse(Buffer.concat(pieces)));
    send(response, 200, {}, "");
  });
}

function bytes(count, response) {
  const all = Buffer.alloc(count);
  for (let i = 0; i < count; i++) all[i] = i % 251;
  send(response, 200, {"content-type": "application/octet-stream"}, all);
}

function respond(request, response) {
  const url = target(request.url);
  const path = url.replace(/\?.*/, "");
  const size = /^\/bytes\/(\d+)$/.exec(path);
  if (size) bytes(+size[1], response);
  else if (paths[path]) paths[path](request, response);
  else send(response, 200, {"content-type": "text/plain"}, url); // whatever else: the path as it came
}

// A WebSocket that sends back each short text.
function upgrade(request, socket) {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  socket.on("error", () => socket.destroy());
  let read = Buffer.alloc(0);
  socket.on("data", piece => {
    read = Buffer.concat([read, piece]);
    while (read.length >= 6 && read.length >= 6 + (read[1] & 0x7f)) read = frame(socket, read);
  });
}

function frame(socket, read) {
  const length = read[1] & 0x7f;
  const text = Buffer.alloc(length);
  for (let i = 0; i < length; i++) text[i] = read[6 + i] ^ read[2 + (i % 4)];
  if ((read[0] & 0x0f) === 8) socket.end(Buffer.from([0x88, 0]));
  else socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
  return read.subarray(6 + length);
}

const [certificate, key] = process.argv.slice(2);
const tls = {cert: readFileSync(certificate), key: readFileSync(key), allowHTTP1: true};
const servers = {http: createServer(respond), h2c: createH2c(respond), tls: createSecureServer(tls, respond)};
const ports = {};
servers.http.httpAllowHalfOpen = true; // else a client that ends its output gets no response
for (const [name, server] of Object.entries(servers)) {
  server.on("upgrade", upgrade);
  server.on("checkContinue", (request, response) => {
    if (target(request.url) !== "/early") response.writeContinue();
    respond(request, response);
  });
  await new Promise(listening => server.listen(0, "127.0.0.1", listening));
  ports[name] = server.address().port;
}
console.log(JSON.stringify(ports));
