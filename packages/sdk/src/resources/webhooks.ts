import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Endpoints of other systems that receive events. `verifyWebhook` checks what they receive. */
export const createWebhooks = (client: Client) => ({
  list: (query: Query<'listWebhooks'> = {}, options?: CallOptions) => client.list('listWebhooks', { query }, options),
  /** The response contains the signing secret, which is shown only once. */
  create: (body: Body<'createWebhook'>, options?: CallOptions) => client.call('createWebhook', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getWebhook', { path: { id } }, options),
  update: (id: string, body: Body<'updateWebhook'>, options?: CallOptions) =>
    client.call('updateWebhook', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteWebhook', { path: { id } }, options),
  rotateSecret: (id: string, body: Body<'rotateWebhookSecret'> = {}, options?: CallOptions) =>
    client.call('rotateWebhookSecret', { path: { id }, body }, options),
  /** Sends a test event and waits for the response. */
  test: (id: string, options?: CallOptions) => client.call('testWebhook', { path: { id }, body: {} }, options),
  deliveries: (id: string, query: Query<'listDeliveries'> = {}, options?: CallOptions) =>
    client.list('listDeliveries', { path: { id }, query }, options),
  delivery: (id: string, deliveryId: string, options?: CallOptions) =>
    client.call('getDelivery', { path: { id, deliveryId } }, options),
  replay: (id: string, deliveryId: string, options?: CallOptions) =>
    client.call('replayDelivery', { path: { id, deliveryId }, body: {} }, options),
});
