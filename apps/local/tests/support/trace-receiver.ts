import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const attributes = z
  .array(z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) }))
  .default([]);
const export_ = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Span kinds by their number in OTLP. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** An exported span. */
export interface Span {
  readonly service: string;
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Attributes with string values. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** A collector that stores the spans it receives by OTLP over HTTP in JSON. */
export interface TraceReceiver {
  readonly url: string;
  readonly spans: readonly Span[];
  /** Everything received, as text. */
  received(): string;
  stop(): Promise<void>;
}

const toRecord = (pairs: z.output<typeof attributes>) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue]));

/** Starts a collector on a free port. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    bodies.push(body);
    for (const { resource, scopeSpans } of export_.parse(JSON.parse(body)).resourceSpans) {
      const service = toRecord(resource.attributes)['service.name'] ?? '';
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const kind = KINDS[span.kind] ?? 'unspecified';
        spans.push({ ...span, kind, service, parentSpanId: span.parentSpanId, attributes: toRecord(span.attributes) });
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received: () => bodies.join('\n'),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
