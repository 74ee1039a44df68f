import { z } from 'zod';
import { data } from '#http/answer';
import { answers, timestamp } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { time } from '#http/time';
import { usagePeriod, usageQuery } from '#operations/analytics/usage-query';
import { readUsage } from '#usage/read-usage';

const latency = z.number().nullable();

const figures = {
  requests: z.int().meta({ description: 'All that came with a key of the team, also what was refused' }),
  errors: z
    .int()
    .meta({ description: 'Of those, answered with a status from 400 on, or by a stream that ended with `error`' }),
  p50Ms: latency.meta({ description: 'Milliseconds until an answer began; null where there was none' }),
  p95Ms: latency,
  searches: z.int().meta({ description: 'Those that succeeded, as with the next two; over MCP too' }),
  chats: z.int(),
  agentRuns: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
};

const EXAMPLE = {
  requests: 42,
  errors: 1,
  p50Ms: 18.4,
  p95Ms: 310.7,
  searches: 30,
  chats: 8,
  agentRuns: 1,
  promptTokens: 5120,
  completionTokens: 640,
};

const usageSchema = z
  .object({
    from: timestamp,
    to: timestamp,
    interval: z.enum(['hour', 'day']),
    buckets: z.array(z.object({ startAt: timestamp, ...figures })),
    totals: z.object(figures),
  })
  .meta({
    id: 'UsageReport',
    description: "What a team's keys were used for, by hours or days of UTC",
    examples: [
      {
        from: '2026-11-21T10:00:00.000Z',
        to: '2026-11-21T11:00:00.000Z',
        interval: 'hour',
        buckets: [{ startAt: '2026-11-21T10:00:00.000Z', ...EXAMPLE }],
        totals: EXAMPLE,
      },
    ],
  });

export const getUsage = defineOperation({
  id: 'getUsage',
  method: 'get',
  path: '/api/v1/analytics/usage',
  summary: 'Count requests, errors and tokens, and see how long answers took',
  access: 'secret',
  fullScopeTo: "read the team's usage",
  params: none,
  query: usageQuery,
  body: noBody,
  success: 200,
  answer: answers(usageSchema),
  handle: async ({ db, usage }, { query }, { caller }) => {
    const period = usagePeriod(query);
    // What this process has counted already; other replicas add theirs within seconds.
    await usage.flush();
    const { buckets, totals } = await readUsage(db, caller.teamId, period);
    return data({
      from: time(period.from),
      to: time(period.to),
      interval: query.interval,
      buckets: buckets.map(({ start, figures }) => ({ startAt: time(start), ...figures })),
      totals,
    });
  },
});
