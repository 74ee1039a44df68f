import type { Context } from '#context';
import type { ToolServer } from '#gen/prisma/client';
import { SERVER_LIMITS } from '#tool-servers/limits';
import { ArgumentProblem, buildRequest } from '#tool-servers/openapi/build-request';
import type { Operation } from '#tool-servers/openapi/operation';
import { readText } from '#tool-servers/read-text';
import { addressOf, authenticate, toServerError } from '#tool-servers/server-connection';
import type { ServerReply } from '#tool-servers/server-reply';
import type { ToolCall } from '#tools/tool';

const TEXT =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:yaml|x-yaml|x-www-form-urlencoded|x-ndjson)\b)/i;

/** Sends the request of an operation and reads the response as text. Throws `upstream_error`. */
export async function callOperation(
  context: Context,
  server: ToolServer,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  { signal }: ToolCall,
): Promise<ServerReply> {
  try {
    const { url, method, headers, body } = buildRequest(server.url, operation, params);
    const auth = await authenticate(context, server, signal);
    const response = await context.egress.fetchWithinOrigin(addressOf(url.href, auth.query), {
      method,
      // Arguments cannot replace the credentials.
      headers: { ...headers, ...auth.headers },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const { status } = response;
    const type = response.headers.get('content-type') ?? '';
    if (type !== '' && !TEXT.test(type)) {
      await response.body?.cancel();
      return { text: `HTTP ${status}: the response is not text, so it is not shown.`, isError: !response.ok, status };
    }
    const { text, isCut } = await readText(response, SERVER_LIMITS.callBytes);
    const shown = auth.redact(isCut ? `${text}\n[The response was longer.]` : text);
    return { text: response.ok ? shown : `HTTP ${status}\n${shown}`, isError: !response.ok, status };
  } catch (error) {
    if (error instanceof ArgumentProblem) return { text: `Invalid arguments: ${error.message}.`, isError: true };
    throw toServerError(error, signal);
  }
}
