import type { ConnectionReport } from '@lectern/contracts';
import { z } from 'zod';

/** What a connection test found. */
export function connectionReport({ success, latencyMs, checks, error }: ConnectionReport) {
  return {
    success,
    latencyMs,
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

export const connectionReportSchema = z
  .object({
    success: z.boolean(),
    latencyMs: z.number(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({
    id: 'ConnectionReport',
    description: 'What a test of a connection found; one that fails is a success of the test',
    examples: [{ success: true, latencyMs: 12, checks: [{ name: 'connection', ok: true, message: 'It answers.' }] }],
  });
