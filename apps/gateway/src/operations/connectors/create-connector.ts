import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { freeObject, id, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { connectorType } from '#operations/connectors/connector-type';
import { connectorRecord } from '#operations/connectors/view';

const body = z.strictObject({
  name,
  type: connectorType,
  collection: id,
  config: freeObject.optional(),
  credentials: freeObject.optional(),
});

export const createConnector = defineOperation({
  id: 'createConnector',
  method: 'post',
  path: '/api/v1/connectors',
  summary: 'Create a connector',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 201,
  handle: async (ctx, { body: { collection, ...body } }, call) => {
    const request = { ...body, collectionId: collection };
    return data(connectorRecord(await ctx.clients.connectors.createConnector(request, onBehalfOf(call))));
  },
});
