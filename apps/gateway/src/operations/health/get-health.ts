import { data } from '#http/answer';
import { noBody } from '#http/body/body';
import { defineOpenOperation, none } from '#http/operation';

export const getHealth = defineOpenOperation({
  id: 'getHealth',
  method: 'get',
  path: '/healthz',
  summary: 'Is the gateway alive',
  params: none,
  query: none,
  body: noBody,
  success: 200,
  handle: async () => data({ status: 'ok' }),
});
