import { trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream;
}

// Names under which a secret or a person's text could be logged by mistake.
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

/** A JSON logger whose lines carry the service's name and, inside a trace, its ids. Never give it document text or prompts. */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
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
  return destination === undefined ? pino(options) : pino(options, destination);
}
