import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request to Qdrant. */
export interface RecordedRequest {
  /** The path within its collection, for example `points/query/batch`. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** One more than the longest chain of requests that had ended when this one began. */
  readonly round: number;
}

/** A proxy to Qdrant that records every request. */
export interface QdrantRecorder {
  readonly url: string;
  readonly requests: RecordedRequest[];
  stop(): void;
}

export async function recordQdrant(target: string): Promise<QdrantRecorder> {
  const requests: RecordedRequest[] = [];
  const ended = new Set<RecordedRequest>();
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    // The caller can forget requests.
    const before = requests.filter((earlier) => ended.has(earlier));
    const round = 1 + before.reduce((most, earlier) => Math.max(most, earlier.round), 0);
    const received = (await request.toArray()).join('');
    const operation = url.replace(/\?.*/, '').replace(/^\/collections\/[^/]+\//, '');
    const recorded = { operation, headers, body: received === '' ? undefined : JSON.parse(received), round };
    requests.push(recorded);
    const answer = await fetch(new URL(url, target), {
      method,
      headers: { 'content-type': 'application/json', 'api-key': headers['api-key']?.toString() ?? '' },
      ...(received === '' ? {} : { body: received }),
    });
    const text = await answer.text();
    ended.add(recorded);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
