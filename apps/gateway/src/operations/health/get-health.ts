import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
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
  answer: answers(z.object({ status: z.literal('ok') }).meta({ examples: [{ status: 'ok' }] })),
  handle: async () => data({ status: 'ok' }),
});
