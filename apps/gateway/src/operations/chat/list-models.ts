import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { modelSchema } from '#operations/chat/view';

export const listModels = defineOperation({
  id: 'listModels',
  method: 'get',
  path: '/api/v1/models',
  summary: 'List the language models that chat may name',
  access: 'secret',
  params: none,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(z.array(modelSchema)),
  handle: async (ctx, _input, call) => {
    const { models } = await ctx.clients.chat.listModels({}, onBehalfOf(call));
    return data(models.map(({ isDefault, ...model }) => ({ ...model, default: isDefault })));
  },
});
