/**
 * Channel options of clients and servers. Messages can be larger than the largest document (32
 * MiB). Keep-alive detects a dead peer within 25 s. A shorter timeout ends the streams of a peer that
 * is only busy, for example while it compiles.
 */
export const GRPC_OPTIONS = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 20_000,
} as const;

/** The name in a health check that covers a service and all its dependencies. */
export const HEALTH_OF_ALL = 'dependencies';
