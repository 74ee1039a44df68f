import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectionReport, connectionReportSchema } from '#operations/connectors/connection-report';

export const testConnector = defineOperation({
  id: 'testConnector',
  method: 'post',
  path: '/api/v1/connectors/{id}/test',
  summary: "Test a connector's connection",
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(z.strictObject({})),
  success: 200,
  answer: answers(connectionReportSchema),
  errors: ['upstream_error'],
  handle: async (ctx, { params }, call) =>
    data(connectionReport(await ctx.clients.connectors.testConnector(params, onBehalfOf(call)))),
});
