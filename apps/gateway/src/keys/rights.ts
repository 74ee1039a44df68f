import { accessOf, containsRange, parseIpRange, RIGHTS, type Right, tokenRightOf } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import type { PublishableReads } from '#gen/prisma/client';
import type { StoredKey } from '#keys/key-store';

const WHERE =
  'An admin can change the rights of a key on the Keys page of the console, or with PUT /api/v1/api-keys/{id}.';

/** Throws `forbidden` if the key does not have a right. */
export function requireRight({ rights, token, app }: StoredKey, right: Right): void {
  if (rights.includes(right)) return;
  if (app !== undefined) {
    throw new AppError('forbidden', `This app was not given the scope "${right}". Connect it again with this scope.`);
  }
  const key = token === undefined ? 'This API key' : 'The API key that created this user token';
  throw new AppError('forbidden', `${key} does not have the right "${right}". ${WHERE}`);
}

/** True if the key has every right and can be used from every address. */
export const isWhole = ({ rights, allowedIps }: Pick<Width, 'rights' | 'allowedIps'>): boolean =>
  allowedIps.length === 0 && RIGHTS.every((right) => rights.includes(right));

/** Checks whether a key, a user token, an app or a person may call an operation, except the role. Throws `forbidden`. */
export function requireOperationRight(id: string, key: StoredKey): void {
  const access = accessOf(id);
  const { kind, person, token, app } = key;
  if (person !== undefined) return;
  if (app !== undefined && !access.app) {
    throw new AppError('forbidden', 'The tokens of connected apps are for MCP only. Use an API key here.');
  }
  if (token !== undefined) {
    if (!access.userToken) throw new AppError('forbidden', 'A user token may not call this operation.');
    const tokenRight = tokenRightOf(access);
    if (tokenRight !== null && !token.rights.includes(tokenRight)) {
      throw new AppError(
        'forbidden',
        `This user token does not have the right "${tokenRight}". Create it with this right: POST /api/v1/user-tokens.`,
      );
    }
  } else if (kind === 'publishable') {
    if (access.publishable) return;
    throw new AppError(
      'forbidden',
      'A publishable key may not call this operation. Use the secret key, from a server.',
    );
  }
  if (access.right !== null) requireRight(key, access.right);
  if (access.wholeKey && !isWhole(key)) {
    throw new AppError(
      'forbidden',
      `This operation gives access to an account or changes budgets, so it requires a key with all rights and without allowed IP addresses. ${WHERE}`,
    );
  }
}

/** The settings that a key may not widen beyond its own. */
interface Width {
  readonly rights: readonly string[];
  readonly allowedIps: readonly string[];
  readonly publishableReads?: PublishableReads;
  readonly requireSignature?: boolean;
  /** Null for the default of the key's kind. */
  readonly rateLimitPerMinute?: number | null;
  /** Null for never. */
  readonly expiresAt?: Date | null;
}

/** What a publishable key that reads every document gives to whoever gets it. */
const RIGHTS_TO_READ_ALL = ['search', 'documents:read'] as const satisfies readonly Right[];

/** Returns the limit of a key that a pair would not have. A limit that the key does not have limits no pair. */
function missingLimit(key: StoredKey, pair: Width): string | undefined {
  // Keys can last longer than a session and have higher limits.
  if (key.person !== undefined) return undefined;
  if (key.requireSignature && pair.requireSignature !== true) return 'require_signature';
  const rate = key.rateLimitPerMinute;
  if (rate !== undefined && (pair.rateLimitPerMinute ?? Number.POSITIVE_INFINITY) > rate)
    return 'rate_limit_per_minute';
  const { expiresAt } = key;
  if (expiresAt !== null && (!pair.expiresAt || pair.expiresAt > expiresAt)) return 'expires_at';
  return undefined;
}

/** True if `own` contains all addresses of `ranges`. An empty list contains every address. */
export function isWithinAddresses(own: readonly string[], ranges: readonly string[]): boolean {
  if (own.length === 0) return true;
  const outer = own.flatMap((text) => parseIpRange(text) ?? []);
  return (
    ranges.length > 0 &&
    ranges.every((text) => {
      const inner = parseIpRange(text);
      return inner !== undefined && outer.some((range) => containsRange(range, inner));
    })
  );
}

/** Throws `forbidden` if a pair could do more than the caller's own key. */
export function requireNotWider(key: StoredKey, pair: Width): void {
  const { rights, allowedIps } = key;
  const needed = pair.publishableReads === 'all' ? [...pair.rights, ...RIGHTS_TO_READ_ALL] : pair.rights;
  const missing = needed.find((right) => !rights.some((own) => own === right));
  if (missing !== undefined) {
    throw new AppError(
      'forbidden',
      `A key cannot manage keys with more rights than its own, and this one does not have the right "${missing}". ${WHERE}`,
    );
  }
  const limit = missingLimit(key, pair);
  if (limit !== undefined) {
    throw new AppError(
      'forbidden',
      `A key cannot manage keys with fewer limits than its own, and this one has the limit "${limit}". Choose one within it, or sign in as an admin.`,
    );
  }
  if (!isWithinAddresses(allowedIps, pair.allowedIps)) {
    throw new AppError(
      'forbidden',
      `A key cannot manage keys for more IP addresses than its own: ${allowedIps.join(', ')}. Choose addresses among these, or sign in as an admin.`,
    );
  }
}
