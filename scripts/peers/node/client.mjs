// Clients of Node as a program that scripts/clients asks by lines on its standard input; scripts/peers/wire.py describes the lines.
// The argument names the client: undici, http or http2.
import {createHash} from "node:crypto";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import {createInterface} from "node:readline";
import {Readable} from "node:stream";
import tls from "node:tls";
import {HttpsProxyAgent} from "https-proxy-agent";
import {Agent, ProxyAgent, interceptors, request as undiciRequest} from "undici";

const PIECE = 65_536;
const clients = new Map(); // what keeps connections, by what requests must have in common

const kept = (ask, make) => {
  const key = [new URL(ask.url).origin, ask.version, ask.proxy, ask.follow, ...Object.keys(ask.proxyFields)].join(" ");
  if (!clients.has(key)) clients.set(key, make());
  return clients.get(key);
};

function content(count) {
  const all = Buffer.alloc(count);
  for (let i = 0; i < count; i++) all[i] = i % 251;
  return all;
}

function* slices(all) {
  for (let i = 0; i < all.length; i += PIECE) yield all.subarray(i, i + PIECE);
}

const stream = ask => Readable.from(slices(content(ask.body)), {objectMode: false});

const pairs = fields => Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one]));

// --- undici, which fetch of Node is made of ---------------------------------------------------------------------------------------

async function undici(ask) {
  const dispatcher = kept(ask, () => undiciAgent(ask));
  const response = await undiciRequest(ask.url, {
    dispatcher,
    method: ask.method,
    headers: ask.expect ? {...ask.fields, expect: ask.expect} : ask.fields,
    body: ask.body === undefined ? null : ask.framing === "chunked" ? stream(ask) : content(ask.body),
  });
  return {status: response.statusCode, fields: pairs(response.headers), body: response.body};
}

function undiciAgent(ask) {
  if (!ask.proxy) return new Agent({allowH2: ask.version !== "1"}).compose(interceptors.redirect({maxRedirections: ask.follow ? 5 : 0}));
  // The field of CONNECT belongs to the agent, not to a request.
  return new ProxyAgent({uri: ask.proxy, proxyTunnel: ask.url.startsWith("https:"), token: ask.proxyFields["Proxy-Authorization"]});
}

// --- http and https ---------------------------------------------------------------------------------------------------------------

function httpAgent(ask) {
  if (ask.url.startsWith("http:")) return new http.Agent({keepAlive: true});
  if (!ask.proxy) return new https.Agent({keepAlive: true});
  return new HttpsProxyAgent(ask.proxy, {keepAlive: true, headers: () => tunnelFields(ask.proxy)});
}

const tunnelFieldsOf = new Map();
const tunnelFields = proxy => tunnelFieldsOf.get(proxy) ?? {};

function nodeHttp(ask) {
  const url = new URL(ask.url);
  const options = {method: ask.method, headers: {...ask.fields}, agent: kept(ask, () => httpAgent(ask))};
  if (ask.proxy) tunnelFieldsOf.set(ask.proxy, ask.proxyFields);
  if (ask.proxy && url.protocol === "http:") {
    const proxy = new URL(ask.proxy);
    Object.assign(options, {host: proxy.hostname, port: proxy.port, path: ask.url, headers: {host: url.host, ...ask.fields}});
  } else {
    Object.assign(options, {host: url.hostname, port: url.port, path: url.pathname + url.search});
  }
  if (ask.expect) options.headers.Expect = ask.expect;
  if (ask.body !== undefined && ask.framing === "length") options.headers["Content-Length"] = ask.body;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(options);
    request.on("response", response => resolve({status: response.statusCode, fields: pairs(response.headers), body: response}));
    // An error of writing comes before the response that explains it: only what comes in its place counts.
    request.on("error", error => setTimeout(reject, 200, error));
    if (ask.body === undefined) request.end();
    else if (ask.expect) request.on("continue", () => stream(ask).pipe(request));
    else stream(ask).pipe(request);
  });
}

// --- http2 ------------------------------------------------------------------------------------------------------------------------

function tunnel(ask, url) {
  const proxy = new URL(ask.proxy);
  const connect = http.request({host: proxy.hostname, port: proxy.port, method: "CONNECT", path: url.host, headers: {host: url.host, ...ask.proxyFields}});
  return new Promise((resolve, reject) => {
    connect.on("error", reject);
    connect.on("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(tls.connect({socket, servername: url.hostname, ALPNProtocols: ["h2"]}));
      else reject(new Error(`CONNECT: ${response.statusCode}`));
    });
    connect.end();
  });
}

async function session(ask) {
  const url = new URL(ask.url);
  const options = ask.proxy ? {createConnection: await (async socket => () => socket)(await tunnel(ask, url))} : {};
  const made = http2.connect(url.origin, options);
  made.on("error", () => clients.clear());
  made.on("close", () => clients.clear());
  return made;
}

async function nodeHttp2(ask) {
  const url = new URL(ask.url);
  const fields = {":method": ask.method, ":path": url.pathname + url.search, ...ask.fields};
  if (ask.body !== undefined && ask.framing === "length") fields["content-length"] = ask.body;
  const exchange = (await kept(ask, () => session(ask).catch(error => {
    clients.clear();
    throw error;
  }))).request(fields, {endStream: ask.body === undefined});
  return new Promise((resolve, reject) => {
    exchange.on("response", response => resolve({status: response[":status"], fields: pairs(response).filter(([name]) => !name.startsWith(":")), body: exchange}));
    exchange.on("error", reject);
    if (ask.body !== undefined) stream(ask).on("error", () => {}).pipe(exchange);
  });
}

// --- lines ------------------------------------------------------------------------------------------------------------------------

function parse(lines) {
  const ask = {fields: {}, proxyFields: {}};
  for (const line of lines) {
    const [, name, value] = /^(\S+) (.*)$/.exec(line);
    const [, field, text] = /^([^:]+): ?(.*)$/.exec(value) ?? [];
    if (name === "field") ask.fields[field] = text;
    else if (name === "proxy-field") ask.proxyFields[field] = text;
    else ask[name] = name === "body" ? +value : value;
  }
  return ask;
}

async function told({status, fields, body}) {
  const hash = createHash("sha256");
  const first = [];
  let length = 0;
  for await (const piece of body) {
    hash.update(piece);
    if (length < 2048) first.push(piece);
    length += piece.length;
  }
  const text = Buffer.concat(first).subarray(0, 2048).toString("hex");
  return [`status ${status}`, ...fields.map(([name, value]) => `field ${name}: ${value}`), `length ${length}`, `sha256 ${hash.digest("hex")}`, `text ${text}`];
}

const reasons = error => [error?.code, error?.message ?? error, ...(error?.cause ? [reasons(error.cause)] : [])].join(" ").replace(/\s+/g, " ");

const send = {undici, http: nodeHttp, http2: nodeHttp2}[process.argv[2]];
let lines = [];
for await (const line of createInterface({input: process.stdin})) {
  if (line !== "") {
    lines.push(line);
    continue;
  }
  const ask = parse(lines);
  lines = [];
  const response = await send(ask).then(told).catch(error => [`error ${reasons(error)}`]);
  process.stdout.write(`${response.join("\n")}\n\n`);
}
