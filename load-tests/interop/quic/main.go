// Fetches a page over HTTP/3 with quic-go from a port on loopback, a new connection each time: fetch PORT COUNT
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/quic-go/quic-go/http3"
)

func get(url string) (string, error) {
	transport := &http3.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}}
	defer transport.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func main() {
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	page := strings.Repeat("hello through a tunnel\n", 4000)
	whole := 0
	for i := 0; i < count; i++ {
		body, err := get("https://127.0.0.1:" + os.Args[1] + "/")
		if err != nil {
			fmt.Fprintln(os.Stderr, "quic-go:", err)
		} else if body == page {
			whole++
		}
	}
	fmt.Printf("quic-go: %d of %d\n", whole, count)
	if whole != count {
		os.Exit(1)
	}
}
