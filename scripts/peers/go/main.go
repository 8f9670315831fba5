// The client of Go's net/http as a program that scripts/clients asks by lines on its standard input; scripts/peers/wire.py describes the lines.
// The argument is the file of a certificate to trust; or "serve" for a server; or "case", the name of a case of upgrade.go, HOST:PORT, and over TLS
// the file of the certificate.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

type ask struct {
	words       map[string]string
	fields      http.Header
	proxyFields http.Header
}

var (
	authorities = x509.NewCertPool()
	transports  = map[string]*http.Transport{}
	fieldsOf    = map[string]http.Header{} // of CONNECT, by proxy
)

func main() {
	if os.Args[1] == "serve" {
		serve()
		return
	}
	if os.Args[1] == "case" {
		if len(os.Args) == 5 {
			trust(os.Args[4])
		}
		runUpgrade(os.Args[2:])
		return
	}
	trust(os.Args[1])
	input := bufio.NewScanner(os.Stdin)
	for next := read(input); next != nil; next = read(input) {
		lines, err := next.send()
		if err != nil {
			lines = "error " + strings.Join(strings.Fields(err.Error()), " ") + "\n"
		}
		fmt.Println(lines)
	}
}

func trust(file string) {
	certificate, err := os.ReadFile(file)
	if err != nil || !authorities.AppendCertsFromPEM(certificate) {
		fmt.Fprintf(os.Stderr, "%s: %v (expected: a certificate)\n", file, err)
		os.Exit(1)
	}
}

func read(lines *bufio.Scanner) *ask {
	next := &ask{map[string]string{}, http.Header{}, http.Header{}}
	for lines.Scan() {
		if lines.Text() == "" {
			return next
		}
		name, value, _ := strings.Cut(lines.Text(), " ")
		field, text, _ := strings.Cut(value, ": ")
		switch name {
		case "field":
			next.fields.Add(field, text)
		case "proxy-field":
			next.proxyFields.Add(field, text)
		default:
			next.words[name] = value
		}
	}
	return nil
}

func (a *ask) body() io.Reader {
	count, err := strconv.Atoi(a.words["body"])
	if err != nil {
		return nil
	}
	if a.words["framing"] == "chunked" {
		return io.MultiReader(bytes.NewReader(content(count))) // a reader that does not tell its length
	}
	return bytes.NewReader(content(count))
}

func content(count int) []byte {
	all := make([]byte, count)
	for i := range all {
		all[i] = byte(i % 251)
	}
	return all
}

func (a *ask) send() (string, error) {
	request, err := http.NewRequest(a.words["method"], a.words["url"], a.body())
	if err != nil {
		return "", err
	}
	request.Header = a.fields
	if a.words["expect"] != "" {
		request.Header.Set("Expect", a.words["expect"])
	}
	fieldsOf[a.words["proxy"]] = a.proxyFields
	client := &http.Client{Transport: a.transport(), Timeout: 30 * time.Second}
	if a.words["follow"] == "" {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	return told(response)
}

// transport keeps connections for requests with the same proxy and version.
func (a *ask) transport() *http.Transport {
	key := a.words["proxy"] + " " + a.words["version"]
	if known, ok := transports[key]; ok {
		return known
	}
	made := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}, ExpectContinueTimeout: 5 * time.Second, Protocols: new(http.Protocols)}
	made.Protocols.SetHTTP1(a.words["version"] != "2")
	made.Protocols.SetHTTP2(a.words["version"] != "1")
	made.Protocols.SetUnencryptedHTTP2(a.words["version"] == "2")
	if proxy := a.words["proxy"]; proxy != "" {
		made.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
		made.GetProxyConnectHeader = func(context.Context, *url.URL, string) (http.Header, error) { return fieldsOf[proxy], nil }
		made.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
			if response.StatusCode != http.StatusOK {
				return fmt.Errorf("CONNECT: %s", response.Status)
			}
			return nil
		}
	}
	transports[key] = made
	return made
}

func told(response *http.Response) (string, error) {
	digest := sha256.New()
	var first bytes.Buffer
	length, err := io.Copy(io.MultiWriter(digest, &limited{&first}), response.Body)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "status %d\nversion %d\n", response.StatusCode, response.ProtoMajor)
	for name, values := range response.Header {
		for _, value := range values {
			fmt.Fprintf(&lines, "field %s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&lines, "length %d\nsha256 %x\ntext %x\n", length, digest.Sum(nil), first.Bytes())
	return lines.String(), nil
}

// limited keeps the first 2,048 bytes that are written.
type limited struct{ kept *bytes.Buffer }

func (l *limited) Write(piece []byte) (int, error) {
	l.kept.Write(piece[:min(len(piece), 2048-l.kept.Len())])
	return len(piece), nil
}
