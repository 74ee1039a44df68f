import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { freeObject } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { connectionReport, connectionReportSchema } from '#operations/connectors/connection-report';
import { connectorType } from '#operations/connectors/connector-type';

const body = z
  .strictObject({
    type: connectorType,
    config: freeObject.optional(),
    credentials: freeObject.optional(),
  })
  .meta({
    examples: [
      {
        type: 's3',
        config: { bucket: 'reports', region: 'eu-central-1' },
        credentials: { accessKeyId: 'AKIA…', secretAccessKey: '…' },
      },
    ],
  });

export const testSettings = defineOperation({
  id: 'testSettings',
  method: 'post',
  path: '/api/v1/connectors/test',
  summary: 'Test settings and credentials before a connector is made of them',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 200,
  answer: answers(connectionReportSchema),
  errors: ['upstream_error'],
  handle: async (ctx, { body }, call) =>
    data(connectionReport(await ctx.clients.connectors.testSettings(body, onBehalfOf(call)))),
});
