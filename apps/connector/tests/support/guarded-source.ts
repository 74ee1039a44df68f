import { type ConnectionCheck, type ConnectorType, defineType } from '@lectern/connectors';
import { z } from 'zod';

/** A source with credentials that records how it was opened. */
export interface GuardedSource {
  readonly type: ConnectorType;
  readonly opened: { readonly config: unknown; readonly credentials: unknown }[];
  closed: number;
  checks: ConnectionCheck[];
  /** Its connection test never returns and ignores its signal. */
  hangs: boolean;
  reset(): void;
}

const PASSED = [{ name: 'connection', ok: true, message: 'The server responds.' }];

export function createGuardedSource(): GuardedSource {
  const source: GuardedSource = {
    opened: [],
    closed: 0,
    checks: PASSED,
    hangs: false,
    reset: () => {
      source.opened.length = 0;
      source.closed = 0;
      source.checks = PASSED;
      source.hangs = false;
    },
    type: defineType({
      name: 'guarded',
      acceptsFiles: false,
      endpointFields: ['host'],
      config: z.strictObject({ host: z.string(), depth: z.number().optional() }),
      credentials: z.strictObject({ user: z.string(), password: z.string() }),
      open: ({ config, credentials }) => {
        source.opened.push({ config, credentials });
        return {
          test: async () => {
            if (source.hangs) await new Promise<never>(() => undefined);
            return source.checks;
          },
          async *list() {
            yield { type: 'complete', authoritative: true };
          },
          resolve: async () => null,
          fetch: async () => {
            throw new Error('The source is empty.');
          },
          close: async () => {
            source.closed += 1;
          },
        };
      },
    }),
  };
  return source;
}
