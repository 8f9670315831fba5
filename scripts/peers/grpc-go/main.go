// The server of the official gRPC interop cases, and clients of them and of some cases of our own.
//
//	grpc-go serve                        prints its port
//	grpc-go CASE HOST:PORT [AUTHORITY]   one case, without TLS, or with it and this file of a certificate; exit code 1 when it fails
//
// The environment may name a forward proxy (PEER_PROXY, HOST:PORT) and a token for the service or for the proxy (PEER_TOKEN).
package main

import (
	"fmt"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		serve()
	} else if len(os.Args) >= 3 {
		client(os.Args[1], os.Args[2], os.Args[3:])
	} else {
		fail("%v (expected: serve, or CASE HOST:PORT [AUTHORITY])", os.Args[1:])
	}
}

func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail("listen: %v", err)
	}
	server := grpc.NewServer()
	testgrpc.RegisterTestServiceServer(server, interop.NewTestServer())
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); err != nil {
		fail("serve: %v", err)
	}
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
	os.Exit(1)
}
