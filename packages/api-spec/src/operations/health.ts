import { z } from 'zod';
import { withoutBody } from '#body';
import { none, one, operation } from '#operation';

const status = <T extends string>(id: string, description: string, value: T) =>
  z
    .object({ status: z.literal(value).meta({ description: `Always \`${value}\`.` }) })
    .meta({ id, description, examples: [{ status: value }] });

export const getHealth = operation({
  id: 'getHealth',
  method: 'get',
  path: '/healthz',
  summary: 'Check that the gateway is alive',
  description: 'Returns 200 as long as the gateway process runs. Use it as a liveness probe.',
  access: 'open',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(status('Health', 'The gateway is alive.', 'ok')),
});

export const getReadiness = operation({
  id: 'getReadiness',
  method: 'get',
  path: '/readyz',
  summary: 'Check that the gateway can serve requests',
  description:
    'Returns 200 if the gateway, its database and all services behind it respond. Otherwise returns 503 with the names of the parts that do not respond in `details.notReady`. Use it as a readiness probe.',
  access: 'open',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(status('Readiness', 'The gateway can serve requests.', 'ready')),
  errors: ['unavailable'],
});
