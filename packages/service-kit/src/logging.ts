import { trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '#describe-error';
import { logOutput } from '#log-output';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** Fields that could contain a secret or a user's text by mistake. */
const SECRETS = [
  'authorization',
  'x-service-key',
  'credentials',
  'password',
  'token',
  'secretKey',
  'content',
  'message.content',
];

/**
 * Creates a JSON logger. Lines contain the service's name and the ids of the active trace. Never
 * log document text or prompts.
 */
export function createLogger({ service, level, destination = logOutput() }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[secret]' },
    // Messages of library errors may repeat their input.
    serializers: { err: describeError, error: describeError },
    mixin: () => {
      const context = trace.getActiveSpan()?.spanContext();
      return context === undefined ? {} : { traceId: context.traceId, spanId: context.spanId };
    },
  };
  return pino(options, destination);
}
