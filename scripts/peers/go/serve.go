package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// serve is the origin in Go; it prints its port.
func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	fmt.Fprintln(os.Stderr, http.Serve(listener, http.HandlerFunc(respond)))
}

func respond(response http.ResponseWriter, request *http.Request) {
	path := strings.TrimPrefix(request.RequestURI, "/go-server")
	count, isBytes := strings.CutPrefix(path, "/bytes/")
	switch {
	case strings.HasPrefix(path, "/upgrade/"):
		upgraded(response, request)
	case path == "/digest":
		digest := sha256.New()
		io.Copy(digest, request.Body)
		fmt.Fprintf(response, "%x", digest.Sum(nil))
	case path == "/echo":
		body, _ := io.ReadAll(request.Body) // net/http reads no body while it writes
		response.Write(body)
	case path == "/none":
		response.WriteHeader(http.StatusNoContent)
	case path == "/pieces":
		for n := 1; n <= 5; n++ {
			fmt.Fprintf(response, "{\"line\":%d}\n", n)
			response.(http.Flusher).Flush()
		}
	case isBytes:
		size, _ := strconv.Atoi(count)
		response.Write(content(size))
	case path == "/hello":
		io.WriteString(response, "hello\n")
	default:
		io.WriteString(response, path)
	}
}
