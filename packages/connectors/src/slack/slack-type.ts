import { z } from 'zod';
import { defineType } from '#settings/connector-type';
import { boundsOf } from '#slack/date-range';
import { openSlack } from '#slack/slack-connector';

const channels = z
  .union([z.string().transform((name) => [name]), z.array(z.string())], 'must be a list of channel names or ids')
  .transform((names) => [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))])
  .pipe(
    z
      .array(
        z
          .string()
          .max(100)
          .regex(/^#?[^\s#]+$/, 'must be the name or the id of a channel'),
      )
      .max(1_000),
  );

const day = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, local: true })],
  'must be an ISO date, for example 2026-01-31',
);

const dateRange = z.strictObject({ from: day.optional(), to: day.optional() }).refine((range) => {
  const { oldest, latest } = boundsOf(range);
  return oldest === undefined || latest === undefined || Number(oldest) <= Number(latest);
}, 'must not end before it begins');

const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, 'must be a token, for example xoxb-…')
  .max(4_096);

/** Threads of a Slack workspace, and the files of their first messages. */
export const slackType = defineType({
  name: 'slack',
  acceptsFiles: false,
  config: z.strictObject({ channels: channels.optional(), dateRange: dateRange.optional() }),
  credentials: z.strictObject({ token }),
  open: ({ config, credentials, host }) =>
    openSlack({ token: credentials.token, channels: config.channels ?? [], dateRange: config.dateRange ?? {} }, host),
});
