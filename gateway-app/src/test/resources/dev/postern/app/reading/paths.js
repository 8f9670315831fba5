// A server with two protected resources: /api with all below it, and the host api.example.
//
// paths.js PORT raw       decides on the target as it came, as Express does
// paths.js PORT decoded   decides on the target with all escapes decoded
// paths.js PORT url       decides on the path of a WHATWG URL, which resolves dot segments and keeps empty ones
// paths.js PORT reference decides on the path of the target as a reference: two slashes begin an authority
// paths.js PORT files     decides on the decoded path, with dot segments resolved and slashes merged

"use strict";

const http = require("node:http");
const path = require("node:path");

const [port, reading] = process.argv.slice(2);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function reference(target) {
  try {
    const url = new URL(target, "http://site.example");
    return url.host === "api.example" ? "/api" : url.pathname;
  } catch {
    return target;
  }
}

const READINGS = {
  raw: (target) => target,
  decoded,
  url: (target) => new URL("http://site.example" + target).pathname,
  reference,
  files: (target) => path.posix.normalize(decoded(target)),
};

function protectedBy(request) {
  const host = (request.headers.host || "").toLowerCase().replace(/:.*$/, "").replace(/\.$/, "");
  const read = READINGS[reading](request.url.replace(/[?].*$/, ""));
  if (host === "api.example") {
    return "host";
  }
  return read === "/api" || read.startsWith("/api/") ? "path" : "";
}

http
  .createServer((request, response) => {
    const mark = protectedBy(request);
    if (mark) {
      response.setHeader("X-Protected", mark);
    }
    response.setHeader("Content-Length", "0");
    response.end();
  })
  .listen(Number(port), "127.0.0.1");
