import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { freeObject } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { connectionReport } from '#operations/connectors/connection-report';
import { connectorType } from '#operations/connectors/connector-type';

const body = z.strictObject({
  type: connectorType,
  config: freeObject.optional(),
  credentials: freeObject.optional(),
});

export const testSettings = defineOperation({
  id: 'testSettings',
  method: 'post',
  path: '/api/v1/connectors/test',
  summary: 'Test settings and credentials before a connector is made of them',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 200,
  handle: async (ctx, { body }, call) =>
    data(connectionReport(await ctx.clients.connectors.testSettings(body, onBehalfOf(call)))),
});
