import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectorRecord, connectorRecordSchema } from '#operations/connectors/view';

export const getConnector = defineOperation({
  id: 'getConnector',
  method: 'get',
  path: '/api/v1/connectors/{id}',
  summary: 'Get a connector',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(connectorRecordSchema),
  handle: async (ctx, { params }, call) => {
    const connector = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
    return recordData(connectorRecord(connector), connector.revision);
  },
});
