package main

import (
	"context"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type run func(ctx context.Context, service testgrpc.TestServiceClient, connection *grpc.ClientConn)

// official wraps a case that gRPC's own interop clients have; it ends the process when it fails.
func official(do func(context.Context, testgrpc.TestServiceClient, ...grpc.CallOption)) run {
	return func(ctx context.Context, service testgrpc.TestServiceClient, _ *grpc.ClientConn) { do(ctx, service) }
}

var cases = map[string]run{
	"empty_unary":                 official(interop.DoEmptyUnaryCall),
	"large_unary":                 official(interop.DoLargeUnaryCall),
	"client_streaming":            official(interop.DoClientStreaming),
	"server_streaming":            official(interop.DoServerStreaming),
	"ping_pong":                   official(interop.DoPingPong),
	"empty_stream":                official(interop.DoEmptyStream),
	"timeout_on_sleeping_server":  official(interop.DoTimeoutOnSleepingServer),
	"cancel_after_begin":          official(interop.DoCancelAfterBegin),
	"cancel_after_first_response": official(interop.DoCancelAfterFirstResponse),
	"custom_metadata":             official(interop.DoCustomMetadata),
	"status_code_and_message":     official(interop.DoStatusCodeAndMessage),
	"special_status_message":      official(interop.DoSpecialStatusMessage),
	"unimplemented_method": func(ctx context.Context, _ testgrpc.TestServiceClient, connection *grpc.ClientConn) {
		interop.DoUnimplementedMethod(ctx, connection)
	},
	"unimplemented_service": func(ctx context.Context, _ testgrpc.TestServiceClient, connection *grpc.ClientConn) {
		interop.DoUnimplementedService(ctx, testgrpc.NewUnimplementedServiceClient(connection))
	},
	"rpc_soak":         soak,
	"watch_and_cancel": watchAndCancel,
	"silent_watch":     silentWatch,
	"refusal":          refusal,
	"token":            token,
}

func client(name, address string, authority []string) {
	do, known := cases[name]
	if !known {
		fail("%s (expected: a case)", name)
	}
	transport := insecure.NewCredentials()
	if len(authority) > 0 {
		var err error
		if transport, err = credentials.NewClientTLSFromFile(authority[0], "localhost"); err != nil {
			fail("%s: %v", authority[0], err)
		}
	}
	connection, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(transport), grpc.WithContextDialer(dialer()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}))
	if err != nil {
		fail("%v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	do(ctx, testgrpc.NewTestServiceClient(connection), connection)
}

// soak is rpc_soak as the official clients have it: one connection, 2,000 large calls one after the other.
func soak(ctx context.Context, _ testgrpc.TestServiceClient, connection *grpc.ClientConn) {
	interop.DoSoakTest(ctx, interop.SoakTestConfig{
		RequestSize: 271_828, ResponseSize: 314_159, PerIterationMaxAcceptableLatency: 5 * time.Second,
		OverallTimeout: 2 * time.Minute, ServerAddr: connection.Target(), NumWorkers: 1, Iterations: 2_000,
		ChannelForTest: func() (*grpc.ClientConn, func()) { return connection, func() {} },
	})
}

// watchAndCancel does what a controller does in a busy cluster: each watch ends by a cancel, an ordinary call follows.
func watchAndCancel(ctx context.Context, service testgrpc.TestServiceClient, _ *grpc.ClientConn) {
	request := &testgrpc.StreamingOutputCallRequest{ResponseParameters: []*testgrpc.ResponseParameters{{Size: 10}, {Size: 10, IntervalUs: 60_000_000}}}
	for i := 0; i < 600; i++ {
		watch, cancel := context.WithCancel(ctx)
		stream, err := service.StreamingOutputCall(watch, request)
		if err == nil {
			_, err = stream.Recv()
		}
		cancel()
		if err != nil {
			fail("watch %d: %v", i, err)
		}
		if _, err := service.EmptyCall(ctx, &testgrpc.Empty{}); err != nil {
			fail("call %d: %v", i, err)
		}
	}
}

// silentWatch is a stream on which both sides say nothing for 20 s, with the keepalive of the client; then both speak again.
func silentWatch(ctx context.Context, service testgrpc.TestServiceClient, _ *grpc.ClientConn) {
	stream, err := service.FullDuplexCall(ctx)
	if err != nil {
		fail("%v", err)
	}
	for _, pause := range []time.Duration{0, 20 * time.Second} {
		after := time.NewTimer(pause)
		<-after.C
		if err := stream.Send(&testgrpc.StreamingOutputCallRequest{ResponseParameters: []*testgrpc.ResponseParameters{{Size: 10}}}); err != nil {
			fail("send after %v: %v", pause, err)
		}
		if _, err := stream.Recv(); err != nil {
			fail("receive after %v: %v", pause, err)
		}
	}
}

// refusal asks for a service that needs a token: the status is told by gRPC's means, not guessed from that of HTTP.
func refusal(ctx context.Context, _ testgrpc.TestServiceClient, connection *grpc.ClientConn) {
	_, err := testgrpc.NewReconnectServiceClient(connection).Stop(ctx, &testgrpc.Empty{})
	if status.Code(err) != codes.Unauthenticated || strings.Contains(err.Error(), "unexpected HTTP status") {
		fail("%v (expected: Unauthenticated by grpc-status)", err)
	}
}

// token calls the service that needs one: the gateway admits the call, and the server says that it has no such service.
func token(ctx context.Context, _ testgrpc.TestServiceClient, connection *grpc.ClientConn) {
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", privateToken())
	_, err := testgrpc.NewReconnectServiceClient(connection).Stop(ctx, &testgrpc.Empty{})
	if status.Code(err) != codes.Unimplemented {
		fail("%v (expected: Unimplemented)", err)
	}
}
