package main

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"strings"
	"time"
)

const (
	options  = `{"Detach":false,"Tty":true}`
	greeting = "ready\n"
	sent     = 1 << 20
)

// upgraded is the server of /upgrade/: like Docker's daemon and a kubelet it reads the body, then takes the connection over.
// It sends back what it gets, and at the end of that the number of bytes.
func upgraded(response http.ResponseWriter, request *http.Request) {
	protocol := request.Header.Get("Upgrade")
	body, err := io.ReadAll(request.Body)
	if strings.HasSuffix(request.URL.Path, "/missing") {
		response.Header().Set("Content-Type", "application/json")
		response.WriteHeader(http.StatusNotFound)
		io.WriteString(response, `{"message":"No such exec instance"}`)
		return
	}
	if err != nil || protocol == "" || (strings.HasSuffix(request.URL.Path, "/exec") && !json.Valid(body)) {
		http.Error(response, fmt.Sprintf("%s, %q, %v (expected: an upgrade, with JSON for exec)", protocol, body, err), http.StatusBadRequest)
		return
	}
	connection, read, err := http.NewResponseController(response).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	fmt.Fprintf(connection, "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: %s\r\n", protocol)
	if key := request.Header.Get("Sec-WebSocket-Key"); key != "" {
		fmt.Fprintf(connection, "Sec-WebSocket-Accept: %s\r\n", accept(key))
	}
	if versions := request.Header.Values("X-Stream-Protocol-Version"); len(versions) > 0 {
		fmt.Fprintf(connection, "X-Stream-Protocol-Version: %s\r\n", versions[0])
	}
	fmt.Fprintf(connection, "\r\n%s", greeting)
	count, _ := io.Copy(connection, read)
	fmt.Fprintf(connection, "%d bytes\n", count)
}

func accept(key string) string {
	digest := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(digest[:])
}

// upgrade runs one case against a gateway; the address has the name or address of the certificate, if there is one.
func upgrade(name, address string, overTLS bool) error {
	cases := map[string]func(string, bool) error{
		"docker-exec":       dockerExec,
		"docker-transport":  dockerTransport,
		"docker-missing":    dockerMissing,
		"kubectl-spdy":      kubectlSpdy,
		"kubectl-websocket": kubectlWebSocket,
		"half-close":        halfClose,
		"half-close-cut":    halfCloseCut,
	}
	run, ok := cases[name]
	if !ok {
		return fmt.Errorf("%s (expected: a case)", name)
	}
	return run(address, overTLS)
}

// outputCloser is what TCP and TLS connections have: the end of the output alone.
type outputCloser interface{ CloseWrite() error }

func dial(address string, overTLS bool) (net.Conn, error) {
	var connection net.Conn
	var err error
	if overTLS {
		connection, err = tls.Dial("tcp", address, &tls.Config{RootCAs: authorities})
	} else {
		connection, err = net.Dial("tcp", address)
	}
	if err == nil {
		connection.SetDeadline(time.Now().Add(30 * time.Second))
	}
	return connection, err
}

func asking(method, address, path, protocol string, body io.Reader) *http.Request {
	request, err := http.NewRequest(method, "http://"+address+path, body)
	if err != nil {
		panic(err) // of a constant
	}
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Upgrade", protocol)
	return request
}

// dockerExec does what Docker's client does for exec and attach: POST with a JSON body, raw bytes both ways, the end of the input by half-close.
func dockerExec(address string, overTLS bool) error {
	connection, err := dial(address, overTLS)
	if err != nil {
		return err
	}
	defer connection.Close()
	request := asking("POST", address, "/upgrade/exec", "tcp", strings.NewReader(options))
	request.Header.Set("Content-Type", "application/json")
	client := httputil.NewClientConn(connection, nil) // as Docker's client
	response, err := client.Do(request)
	if err != nil && !errors.Is(err, httputil.ErrPersistEOF) {
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("%s (expected: 101)", response.Status)
	}
	raw, read := client.Hijack()
	input := bytes.Repeat([]byte("0123456789abcdef"), sent/16)
	go func() {
		raw.Write(input)
		raw.(outputCloser).CloseWrite()
	}()
	output, err := io.ReadAll(read)
	if err != nil {
		return err
	}
	if expected := fmt.Sprintf("%s%s%d bytes\n", greeting, input, sent); string(output) != expected {
		return fmt.Errorf("%d bytes of output (expected: %d)", len(output), len(expected))
	}
	return nil
}

// dockerTransport does the same with the connections of net/http, which give the upgraded one as the body of the response.
func dockerTransport(address string, overTLS bool) error {
	request := asking("POST", address, "/upgrade/exec", "tcp", strings.NewReader(options))
	if overTLS {
		request.URL.Scheme = "https"
	}
	response, err := transportClient().Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	stream, ok := response.Body.(io.ReadWriter)
	if response.StatusCode != http.StatusSwitchingProtocols || !ok {
		return fmt.Errorf("%s (expected: 101)", response.Status)
	}
	return echoes(stream, stream)
}

func transportClient() *http.Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}, Protocols: new(http.Protocols)}
	transport.Protocols.SetHTTP1(true)
	return &http.Client{Transport: transport} // a client with a time-out gives no body that can be written to
}

// dockerMissing is refused, and uses the connection for the next request.
func dockerMissing(address string, overTLS bool) error {
	client := transportClient()
	for range 2 {
		request := asking("POST", address, "/upgrade/missing", "tcp", strings.NewReader(options))
		if overTLS {
			request.URL.Scheme = "https"
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusNotFound || !strings.Contains(string(body), "No such exec") {
			return fmt.Errorf("%s, %q, %v (expected: 404 with its reason)", response.Status, body, err)
		}
	}
	return nil
}

// kubectlSpdy asks as kubectl exec does with SPDY: POST without a body.
func kubectlSpdy(address string, overTLS bool) error {
	request := asking("POST", address, "/upgrade/spdy?command=ls&stdin=true", "SPDY/3.1", nil)
	request.Header["X-Stream-Protocol-Version"] = []string{"v4.channel.k8s.io", "v3.channel.k8s.io"}
	return overOwnConnection(address, overTLS, request, "X-Stream-Protocol-Version", "v4.channel.k8s.io")
}

// kubectlWebSocket asks as kubectl exec does since 1.31.
func kubectlWebSocket(address string, overTLS bool) error {
	const key = "dGhlIHNhbXBsZSBub25jZQ=="
	request := asking("GET", address, "/upgrade/websocket?command=ls&stdin=true", "websocket", nil)
	request.Header.Set("Sec-WebSocket-Version", "13")
	request.Header.Set("Sec-WebSocket-Key", key)
	request.Header.Set("Sec-WebSocket-Protocol", "v5.channel.k8s.io")
	return overOwnConnection(address, overTLS, request, "Sec-WebSocket-Accept", accept(key))
}

func overOwnConnection(address string, overTLS bool, request *http.Request, field, value string) error {
	connection, err := dial(address, overTLS)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := request.Write(connection); err != nil {
		return err
	}
	read := bufio.NewReader(connection)
	response, err := http.ReadResponse(read, request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols || response.Header.Get(field) != value {
		return fmt.Errorf("%s, %s: %q (expected: 101, %q)", response.Status, field, response.Header.Get(field), value)
	}
	return echoes(read, connection)
}

func echoes(read io.Reader, write io.Writer) error {
	for _, text := range []string{greeting, "one\n", "\x00\x01GET / HTTP/1.1\r\n\r\n"} {
		if text != greeting {
			if _, err := io.WriteString(write, text); err != nil {
				return err
			}
		}
		got := make([]byte, len(text))
		if _, err := io.ReadFull(read, got); err != nil || string(got) != text {
			return fmt.Errorf("%q, %v (expected: %q)", got, err, text)
		}
	}
	return nil
}

// halfClose ends its output behind a request, and reads the response: limits.half-close is allow.
func halfClose(address string, overTLS bool) error {
	output, err := withHalfClose(address, overTLS)
	if err != nil || !strings.HasSuffix(output, "{\"line\":5}\n\r\n0\r\n\r\n") {
		return fmt.Errorf("%q, %v (expected: the whole response)", output, err)
	}
	return nil
}

// halfCloseCut does the same with a gateway that takes such a client for one that has gone, as nginx does.
func halfCloseCut(address string, overTLS bool) error {
	output, _ := withHalfClose(address, overTLS)
	if strings.Contains(output, "{\"line\":5}") {
		return fmt.Errorf("%q (expected: no whole response)", output)
	}
	return nil
}

func withHalfClose(address string, overTLS bool) (string, error) {
	connection, err := dial(address, overTLS)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	fmt.Fprintf(connection, "GET /pieces HTTP/1.1\r\nHost: %s\r\n\r\n", address)
	connection.(outputCloser).CloseWrite()
	output, err := io.ReadAll(connection)
	return string(output), err
}

func runUpgrade(arguments []string) {
	if err := upgrade(arguments[0], arguments[1], len(arguments) > 2); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", arguments[0], err)
		os.Exit(1)
	}
}
