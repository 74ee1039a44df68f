/**
 * gRPC's channel options for both ends. Messages are as large as the largest document (32 MiB) and its frame. Keep-alive
 * finds a dead peer within 10 s, so that a call never waits on a machine that is gone.
 */
export const GRPC_OPTIONS = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 5_000,
} as const;

/** What gRPC's health check is asked for the health of a service with all that it needs. */
export const HEALTH_OF_ALL = 'dependencies';
