import { z } from 'zod';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';

const schema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })).optional() }).optional(),
  }),
  meta: z.object({ requestId: z.string() }).optional(),
});

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return EXIT.denied;
  return status === 429 || status >= 502 ? EXIT.unavailable : EXIT.failed;
}

/** What a refusal by the API means: its own words, with the fields at fault and the request's id. */
export async function refusalOf(response: Response): Promise<CliError> {
  const exitCode = exitCodeOf(response.status);
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) {
    return new CliError(`The server answered ${response.status}, and not as Lectern does. Is the address right?`, {
      exitCode,
    });
  }
  const { error, meta } = parsed.data;
  const issues = error.details?.issues?.map(({ path, message }) => `\n  ${oneLine(path)}: ${oneLine(message)}`) ?? [];
  return new CliError(oneLine(error.message) + issues.join(''), {
    exitCode,
    code: error.code,
    requestId: meta?.requestId,
  });
}
