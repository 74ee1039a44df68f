import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { freeObject, id, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { connectorType } from '#operations/connectors/connector-type';
import { connectorRecord, connectorRecordSchema } from '#operations/connectors/view';

const body = z
  .strictObject({
    name,
    type: connectorType,
    collection: id,
    config: freeObject.optional(),
    credentials: freeObject.optional(),
  })
  .meta({
    examples: [
      {
        name: 'Reports',
        type: 's3',
        collection: 'col_01h455vb4pex5vsknk084sn02q',
        config: { bucket: 'reports', region: 'eu-central-1' },
        credentials: { accessKeyId: 'AKIA…', secretAccessKey: '…' },
      },
    ],
  });

export const createConnector = defineOperation({
  id: 'createConnector',
  method: 'post',
  path: '/api/v1/connectors',
  summary: 'Create a connector',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 201,
  answer: answers(connectorRecordSchema),
  handle: async (ctx, { body: { collection, ...body } }, call) => {
    const request = { ...body, collectionId: collection, id: idOf('connector', call.seed) };
    const connector = await ctx.clients.connectors.createConnector(request, onBehalfOf(call));
    return recordData(connectorRecord(connector), connector.revision);
  },
});
