import type { EndpointModel as EndpointModelMessage } from '@lectern/contracts';
import { BUILTIN_MODEL_ID } from '@lectern/extractive';
import { ENDPOINT_PROVIDERS, type EndpointProvider } from '@lectern/llm';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { storableText } from '@lectern/text';

/** Endpoints of one team. */
export const MAX_ENDPOINTS = 20;
/** Models of one endpoint. */
const MAX_MODELS = 50;
const MAX_NAME = 200;
const MAX_URL = 2_000;
const MAX_KEY = 4_000;
const WINDOW = { min: 1_024, max: 10_000_000 };
/** Names that mean something else in the OpenAI-compatible API. */
const RESERVED = /^(?:lectern$|agent:)/;

/** The fields of an endpoint in a request. Omitted fields are undefined. */
export interface EndpointFields {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly models?: readonly EndpointModelMessage[] | undefined;
  /** The model that a test asks. */
  readonly model?: string | undefined;
}

/** Returns a provider. Throws `invalid_request`. */
export function parseProvider(text: string | undefined): EndpointProvider {
  const provider = ENDPOINT_PROVIDERS.find((one) => one === text);
  if (provider !== undefined) return provider;
  throw invalidRequest([{ path: 'provider', message: `must be one of ${ENDPOINT_PROVIDERS.join(', ')}` }]);
}

/** Returns why a URL cannot be used, or undefined. The egress guard checks where it leads. */
function urlProblem(text: string): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return 'must be a URL like https://host/v1';
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password; use key';
  return search === '' && hash === '' ? undefined : 'must not contain a query or a fragment';
}

function keyProblem(key: string): string | undefined {
  if (key.length > MAX_KEY) return `must have at most ${MAX_KEY} characters`;
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'must consist of ASCII characters without spaces';
}

function modelProblem(id: string): string | undefined {
  if (id.trim() === '' || [...id].length > MAX_NAME) return `must have 1 to ${MAX_NAME} characters`;
  if (id.trim() !== id || /\p{Cc}/u.test(id) || storableText(id) !== id) {
    return 'must not contain control characters or surrounding spaces';
  }
  return id === BUILTIN_MODEL_ID || RESERVED.test(id) ? `must not be ${id}, which Lectern uses itself` : undefined;
}

function windowProblem(tokens: number | undefined): string | undefined {
  if (tokens === undefined || (tokens >= WINDOW.min && tokens <= WINDOW.max)) return undefined;
  return `must be ${WINDOW.min} to ${WINDOW.max} tokens`;
}

/** Validates the given fields. An empty `url` or `key` clears it. Throws `invalid_request` with all issues. */
export function checkEndpointFields({ name, url, key, models, model }: EndpointFields): void {
  const issues: Issue[] = [];
  const add = (path: string, message: string | undefined) => {
    if (message !== undefined) issues.push({ path, message });
  };
  if (name !== undefined) {
    if (name.trim() === '') add('name', 'must not be empty');
    if ([...name].length > MAX_NAME) add('name', `must have at most ${MAX_NAME} characters`);
    if (/\p{Cc}/u.test(name) || storableText(name) !== name) add('name', 'must not contain control characters');
  }
  if (url) add('url', urlProblem(url));
  if (key) add('key', keyProblem(key));
  if (models !== undefined) {
    if (models.length === 0) add('models', 'must name at least one model');
    if (models.length > MAX_MODELS) add('models', `must name at most ${MAX_MODELS} models`);
    for (const [at, { id, contextWindow }] of models.slice(0, MAX_MODELS).entries()) {
      add(`models[${at}].id`, modelProblem(id));
      add(`models[${at}].contextWindow`, windowProblem(contextWindow));
    }
    if (new Set(models.map(({ id }) => id)).size < models.length) add('models', 'must not name a model twice');
  }
  if (model !== undefined) add('model', modelProblem(model));
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Throws `invalid_request` if the provider needs a key: it always does at its own address. */
export function requireKey(
  { provider, url }: { readonly provider: EndpointProvider; readonly url: string | null },
  hasKey: boolean,
): void {
  if (hasKey || (provider === 'openai' && url !== null)) return;
  throw invalidRequest([{ path: 'key', message: 'is required for this provider' }]);
}

export const keyRequiredAgain = () =>
  invalidRequest([{ path: 'key', message: 'is required again, because the address changes' }]);

/** Returns models as they are stored. */
export const storedModels = (models: readonly EndpointModelMessage[]): { id: string; contextWindow?: number }[] =>
  models.map(({ id, contextWindow }) => ({ id, ...(contextWindow === undefined ? {} : { contextWindow }) }));
