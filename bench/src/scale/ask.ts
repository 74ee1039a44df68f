import { SearchMode, SearchServiceDefinition } from '@lectern/contracts';
import { connectGrpc, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';
import type { CorpusQuery } from '#corpus/corpus';
import type { Replica, Scaled } from '#scale/replica';
import { createApi } from '#system/api';
import type { Lectern } from '#system/lectern';

/** Sends a query to the replicas of a service. */
export interface Asking {
  ask(number: number): Promise<unknown>;
  close(): void;
}

const DEADLINE_MS = 30_000;

/**
 * Sends queries like the callers of a service do. search: one gRPC client for all addresses, which
 * distributes calls by `round_robin`, like a headless Service. gateway: one connection each, in
 * turns, like an ingress.
 */
export function askReplicas(
  service: Scaled,
  replicas: readonly Replica[],
  lectern: Lectern,
  queries: readonly CorpusQuery[],
): Asking {
  const textOf = (number: number) => queries[number % queries.length]?.text ?? '';
  return service === 'search' ? askSearch(replicas, lectern, textOf) : askGateway(replicas, lectern, textOf);
}

function askSearch(replicas: readonly Replica[], { teamId }: Lectern, textOf: (number: number) => string): Asking {
  const connection = connectGrpc(`ipv4:${replicas.map(({ address }) => address).join(',')}`);
  const client = connection.client(SearchServiceDefinition, { deadlineMs: DEADLINE_MS });
  const { signal } = new AbortController();
  return {
    ask: (number) =>
      client.search(
        { query: textOf(number), mode: SearchMode.HYBRID, page: { page: 1, limit: 10 } },
        onBehalfOf({ caller: systemCaller(teamId), requestId: newId('request'), signal }),
      ),
    close: connection.close,
  };
}

function askGateway(replicas: readonly Replica[], { secretKey }: Lectern, textOf: (number: number) => string): Asking {
  const apis = replicas.map(({ address }) => createApi({ baseUrl: `http://${address}`, secretKey }));
  return {
    ask: async (number) =>
      apis[number % apis.length]?.call('POST', '/api/v1/search', { query: textOf(number), limit: 10 }),
    close: () => {
      for (const api of apis) api.close();
    },
  };
}
