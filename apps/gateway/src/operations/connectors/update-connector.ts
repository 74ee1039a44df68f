import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { recordBody } from '#http/body/record-body';
import { freeObject, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectorRecord, connectorRecordSchema } from '#operations/connectors/view';

const body = z
  .strictObject({
    name: name.optional(),
    /** Merged key by key; null removes a key. */
    config: freeObject.optional(),
    credentials: freeObject.optional(),
  })
  .meta({ examples: [{ config: { prefix: '2026/' } }] });

export const updateConnector = defineOperation({
  id: 'updateConnector',
  method: 'put',
  path: '/api/v1/connectors/{id}',
  summary: 'Change the fields given of a connector; config is merged key by key',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: none,
  body: recordBody(body, { record: connectorRecordSchema }),
  success: 200,
  answer: answers(connectorRecordSchema),
  current: async (ctx, params, call) => {
    const connector = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
    return { record: connectorRecord(connector), revision: connector.revision };
  },
  handle: async (ctx, { params, body }, call) => {
    const request = { ...params, ...body, precondition: call.ifMatch };
    const connector = await ctx.clients.connectors.updateConnector(request, onBehalfOf(call));
    return recordData(connectorRecord(connector), connector.revision);
  },
});
