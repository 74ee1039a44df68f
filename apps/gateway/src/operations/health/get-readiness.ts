import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOpenOperation, none } from '#http/operation';

export const getReadiness = defineOpenOperation({
  id: 'getReadiness',
  method: 'get',
  path: '/readyz',
  summary: 'Can the gateway and all it depends on take requests',
  params: none,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(z.object({ status: z.literal('ready') }).meta({ examples: [{ status: 'ready' }] })),
  errors: ['unavailable'],
  handle: async (ctx) => {
    if (ctx.lifecycle.isDraining()) throw new AppError('unavailable', 'The gateway is stopping.');
    const notReady = await ctx.readiness();
    if (notReady.length > 0) {
      throw new AppError('unavailable', `Not ready: ${notReady.join(', ')}.`, { details: { notReady } });
    }
    return data({ status: 'ready' });
  },
});
