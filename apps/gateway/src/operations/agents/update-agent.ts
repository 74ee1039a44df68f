import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { agentFields } from '#operations/agents/fields';
import { agentRecord, agentRecordSchema } from '#operations/agents/view';

const body = z
  .strictObject(agentFields)
  .partial()
  .meta({ examples: [{ name: 'Helper', tools: [] }] });

/** A list that was given, as distinct from one that was left out. */
const given = (values: string[] | undefined) => (values === undefined ? undefined : { values });

export const updateAgent = defineOperation({
  id: 'updateAgent',
  method: 'put',
  path: '/api/v1/agents/{id}',
  summary: 'Change the fields given of an agent',
  access: 'secret',
  params: idParams('agent'),
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 200,
  answer: answers(agentRecordSchema),
  handle: async (ctx, { params, body: { tools, collections, ...body } }, call) => {
    const request = { ...params, ...body, tools: given(tools), collectionIds: given(collections) };
    return data(agentRecord(await ctx.clients.agents.updateAgent(request, onBehalfOf(call))));
  },
});
