import { TOOL_SERVER_SLUG } from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { storableText } from '@lectern/text';
import { SERVER_LIMITS } from '#tool-servers/limits';

const MAX_NAME = 200;
const MAX_URL = 2_000;

const SERVER_KINDS = ['mcp', 'openapi'] as const;

type ServerKind = (typeof SERVER_KINDS)[number];

/** The fields of a server in a request. Omitted fields are undefined. */
export interface ServerFields {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly kind?: string | undefined;
  readonly url?: string | undefined;
  readonly documentUrl?: string | undefined;
  readonly document?: string | undefined;
}

const isKind = (kind: string): kind is ServerKind => SERVER_KINDS.some((one) => one === kind);

/** Returns why a URL cannot be used, or undefined. The egress guard checks where it leads. */
function urlProblem(text: string): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return 'must be a URL like https://host/path';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password; use auth';
  return hash === '' ? undefined : 'must not contain a fragment';
}

/** Validates the given fields. Throws `invalid_request` with all invalid ones. */
export function checkServerFields({ name, slug, kind, url, documentUrl, document }: ServerFields): void {
  const issues: Issue[] = [];
  const add = (path: string, message: string | undefined) => {
    if (message !== undefined) issues.push({ path, message });
  };
  if (name !== undefined) {
    if (name.trim() === '') add('name', 'must not be empty');
    if ([...name].length > MAX_NAME) add('name', `must have at most ${MAX_NAME} characters`);
    if (storableText(name) !== name) add('name', 'contains characters that cannot be stored');
  }
  if (slug !== undefined && !TOOL_SERVER_SLUG.test(slug)) {
    add('slug', 'must consist of a–z, 0–9 and hyphens, at most 20 characters');
  }
  if (kind !== undefined && !isKind(kind)) add('kind', `must be one of ${SERVER_KINDS.join(', ')}`);
  if (url !== undefined) add('url', urlProblem(url));
  if (documentUrl !== undefined && documentUrl !== '') add('documentUrl', urlProblem(documentUrl));
  if (document !== undefined) {
    if (Buffer.byteLength(document) > SERVER_LIMITS.listBytes) {
      add('document', `must have at most ${SERVER_LIMITS.listBytes / 1024 / 1024} MiB`);
    }
    if (document.includes('\u0000')) add('document', 'must not contain the character U+0000');
  }
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Throws `invalid_request` unless exactly an OpenAPI server has one description. */
export function requireDescription(
  kind: string,
  { documentUrl, document }: { readonly documentUrl: string | null; readonly document: string | null },
): void {
  const given = [documentUrl, document].filter((one) => one !== null).length;
  const problem =
    kind === 'openapi'
      ? given === 1
        ? undefined
        : 'is required: send either documentUrl or document'
      : given === 0
        ? undefined
        : 'is only for servers of the kind openapi';
  if (problem === undefined) return;
  throw invalidRequest([{ path: document === null ? 'documentUrl' : 'document', message: problem }]);
}
