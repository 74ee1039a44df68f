import {
  jsonResponse,
  PlatformError,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

/** How the service wants to be called. */
export type OrdersAuth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string }
  | { readonly type: 'query'; readonly name: string; readonly value: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** The OpenAPI document of the service. */
export const ORDERS_DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '2' },
  servers: [{ url: 'https://orders.example.com/v2' }],
  paths: {
    '/orders/{orderId}': {
      parameters: [{ $ref: '#/components/parameters/orderId' }],
      get: {
        operationId: 'getOrder',
        summary: 'Get an order',
        responses: { 200: { description: 'The order.' } },
      },
    },
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'List orders',
        parameters: [
          { name: 'status', in: 'query', schema: { type: 'array', items: { $ref: '#/components/schemas/Status' } } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'x-trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'Orders.' } },
      },
    },
    '/orders/{orderId}/refunds': {
      parameters: [{ $ref: '#/components/parameters/orderId' }],
      post: {
        operationId: 'refundOrder',
        summary: 'Refund an order',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } },
        },
        responses: { 201: { description: 'The refund.' } },
      },
    },
  },
  components: {
    parameters: { orderId: { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Status: { type: 'string', enum: ['open', 'shipped', 'refunded'] },
      Refund: {
        type: 'object',
        properties: {
          amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
          reason: { type: 'string', nullable: true },
        },
        required: ['amount'],
        additionalProperties: false,
      },
    },
  },
} as const;

/** A strict HTTP service with an OpenAPI document at `/openapi.json`. */
export interface OrdersService extends PlatformServer {
  /** The refunds that were made. */
  readonly refunds: readonly { readonly orderId: string; readonly amount: number }[];
}

/** Starts the service. It knows the order `A 1/2`, and rejects everything that its document does not describe. */
export async function startOrdersService(auth: OrdersAuth = { type: 'none' }): Promise<OrdersService> {
  const refunds: { orderId: string; amount: number }[] = [];
  const refuse = (status: number, message: string) => jsonResponse(status, { error: message });
  const fail = (status: number, message: string): never => {
    throw new PlatformError(refuse(status, message));
  };
  const server = await startPlatformServer({
    refuse,
    answer: ({ method, path, url, query, headers, body }) => {
      if (path === '/openapi.json') return jsonResponse(200, ORDERS_DOCUMENT);
      const allowed = new Set(path.endsWith('/orders') ? ['status', 'limit'] : []);
      if (auth.type === 'query') allowed.add(auth.name);
      for (const name of query.keys()) if (!allowed.has(name)) fail(400, `unknown parameter ${name}`);
      const isAllowed =
        auth.type === 'none' ||
        (auth.type === 'bearer' && headers.authorization === `Bearer ${auth.token}`) ||
        (auth.type === 'header' && headers[auth.name.toLowerCase()] === auth.value) ||
        (auth.type === 'query' && query.get(auth.name) === auth.value) ||
        (auth.type === 'basic' && headers.authorization === `Basic ${btoa(`${auth.username}:${auth.password}`)}`);
      if (!isAllowed) fail(401, 'wrong credentials');
      const [pathname = ''] = url.split('?');
      const [, encodedId, isRefund] = /^\/v2\/orders\/([^/]+)(\/refunds)?$/.exec(pathname) ?? [];
      if (method === 'GET' && pathname === '/v2/orders') {
        return jsonResponse(200, {
          statuses: query.getAll('status'),
          limit: query.get('limit'),
          trace: headers['x-trace'],
        });
      }
      const orderId = decodeURIComponent(encodedId ?? '');
      if (orderId !== 'A 1/2') return refuse(404, 'unknown order');
      if (method === 'GET' && isRefund === undefined) return jsonResponse(200, { orderId, total: 40 });
      if (method !== 'POST' || isRefund === undefined) return refuse(405, 'unknown operation');
      if (headers['content-type'] !== 'application/json') return refuse(415, 'expected JSON');
      const { amount } = JSON.parse(body);
      refunds.push({ orderId, amount });
      return jsonResponse(201, { refunded: amount });
    },
  });
  return Object.assign(server, { refunds });
}
