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

const EXIT_CODES: Readonly<Record<string, number>> = {
  unauthorized: EXIT.denied,
  invalid_key: EXIT.denied,
  key_expired: EXIT.denied,
  invalid_signature: EXIT.denied,
  forbidden: EXIT.denied,
  rate_limited: EXIT.unavailable,
  upstream_error: EXIT.unavailable,
  unavailable: EXIT.unavailable,
  timeout: EXIT.unavailable,
};

/** How the command ends for which the API answered this error code, in an answer or on a stream's way. */
export const exitCodeOf = (code: string): number => EXIT_CODES[code] ?? EXIT.failed;

/** What answers is something else, or a proxy before Lectern. */
export function notLecterns({ status }: Response, cause: unknown): CliError {
  const exitCode = status === 429 || status >= 502 ? EXIT.unavailable : EXIT.failed;
  const message = `The server answered ${status}, and not as Lectern does. Is the address right?`;
  return new CliError(message, { exitCode, cause });
}

/** What a refusal by the API means: its own words, with the fields at fault and the request's id. */
export async function refusalOf(response: Response): Promise<CliError> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) return notLecterns(response, parsed.error);
  const { error, meta } = parsed.data;
  const issues = error.details?.issues?.map(({ path, message }) => `\n  ${oneLine(path)}: ${oneLine(message)}`) ?? [];
  return new CliError(oneLine(error.message) + issues.join(''), {
    exitCode: exitCodeOf(error.code),
    code: error.code,
    requestId: meta?.requestId,
  });
}
