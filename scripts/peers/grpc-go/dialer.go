package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
)

// tunnel is a connection of which the response to CONNECT has been read, perhaps with bytes of the server behind it.
type tunnel struct {
	net.Conn
	reader *bufio.Reader
}

func (t tunnel) Read(bytes []byte) (int, error) { return t.reader.Read(bytes) }

// dialer connects directly or by CONNECT through the proxy of the environment: grpc-go itself uses no proxy for loopback addresses.
func dialer() func(context.Context, string) (net.Conn, error) {
	proxy := os.Getenv("PEER_PROXY")
	return func(ctx context.Context, address string) (net.Conn, error) {
		if proxy == "" {
			return (&net.Dialer{}).DialContext(ctx, "tcp", address)
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", proxy)
		if err != nil {
			return nil, err
		}
		request, _ := http.NewRequest(http.MethodConnect, "http://"+address, nil)
		request.URL.Opaque = address
		if os.Getenv("PEER_TOKEN") != "" {
			request.Header.Set("Proxy-Authorization", privateToken())
		}
		if err := request.Write(connection); err != nil {
			return nil, err
		}
		reader := bufio.NewReader(connection)
		response, err := http.ReadResponse(reader, request)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("CONNECT: %s (expected: 200)", response.Status)
		}
		return tunnel{connection, reader}, nil
	}
}

func privateToken() string { return `PrivateToken token="` + os.Getenv("PEER_TOKEN") + `"` }
