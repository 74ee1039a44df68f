import { people } from '@lectern/api-spec';

const MAX_SUBJECT = 255;
const MAX_NAME = 200;
const MAX_GROUPS = 1_000;

type Claims = Readonly<Record<string, unknown>>;

/** What a provider reports about a person. */
export interface Profile {
  readonly subject: string;
  /** The id of the session at the provider. */
  readonly sessionId: string | undefined;
  /** In lower case. Undefined if there is none or it is not a valid address. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  readonly groups: readonly string[];
  /** The domain of the organization that manages a Google account. */
  readonly hostedDomain: string | undefined;
}

const textIn = (claims: Claims, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** A claim can be one group or a list of them. */
function groupsIn(claims: Claims, claim: string): readonly string[] {
  const value = claims[claim];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry) => typeof entry === 'string').slice(0, MAX_GROUPS);
}

/** True if a claim is missing that the endpoint for claims may return. */
export const needsMore = (claims: Claims, groupsClaim: string): boolean =>
  ['email', 'email_verified', 'name', groupsClaim].some((name) => claims[name] === undefined);

/** Reads the claims of an ID token. Returns undefined without a usable subject. */
export function profileOf(claims: Claims, groupsClaim: string): Profile | undefined {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) return undefined;
  const email = people.email.safeParse(claims.email);
  return {
    subject: sub,
    sessionId: textIn(claims, 'sid')?.slice(0, MAX_SUBJECT),
    email: email.success ? email.data : undefined,
    // Some providers send the text "true".
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: textIn(claims, 'name')?.slice(0, MAX_NAME),
    groups: groupsIn(claims, groupsClaim),
    hostedDomain: textIn(claims, 'hd')?.toLowerCase(),
  };
}
