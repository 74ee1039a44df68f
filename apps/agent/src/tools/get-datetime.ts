import { z } from 'zod';
import { describeTime } from '#tools/datetime/describe-time';
import { findTimeZone } from '#tools/datetime/find-time-zone';
import { defineTool, toolError } from '#tools/tool';

const DEFAULT_ZONE = 'UTC';

/** Returns the current date and time. */
export const getDatetime = defineTool({
  name: 'get_datetime',
  description: 'Returns the current date, weekday, time and calendar week in a time zone.',
  input: z.strictObject({
    timeZone: z
      .string()
      .max(100)
      .optional()
      .describe('An IANA time zone (Asia/Tokyo), a large city (Tokyo) or an offset (+09:00). The default is UTC.'),
  }),
  run: async (_ctx, _call, { timeZone = DEFAULT_ZONE }) => {
    const zone = findTimeZone(timeZone);
    if (zone === undefined) {
      return toolError(`"${timeZone}" is not a known time zone. Use an IANA name like Europe/Berlin.`);
    }
    const { text, iso, offset, week } = describeTime(new Date(), zone);
    const content = `It is ${text} in ${zone} (UTC${offset}), week ${week}. ISO 8601: ${iso}`;
    return { content, isError: false, summary: { datetime: iso, timeZone: zone } };
  },
});
