const FORM = /^(?:public|user:\S+|group:\S+)$/;
const MAX_LENGTH = 320;

/**
 * Normalizes a principal, who can read a document: `public`, `user:<email>`, `user:<source>:<id>` or
 * `group:<source>:<id>`. Email addresses become lower case. Returns undefined for invalid text, over
 * 320 characters, or text that PostgreSQL cannot store.
 */
export function toPrincipal(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !FORM.test(text)) return undefined;
  if (text.includes('\0') || !text.isWellFormed()) return undefined;
  return text.startsWith('user:') && text.includes('@') ? text.toLowerCase() : text;
}

/** Normalizes principals without duplicates. Leaves out invalid ones. */
export function toPrincipals(texts: readonly string[]): string[] {
  return [...new Set(texts.map(toPrincipal).filter((principal) => principal !== undefined))];
}

/** Returns the principal of an end user. */
export const userPrincipal = (email: string): string => `user:${email.trim().toLowerCase()}`;

/**
 * Returns the principal of everyone with an email address of the domain. The members do not have
 * to be listed.
 */
export const domainPrincipal = (domain: string): string => `group:domain:${domain.trim().toLowerCase()}`;

/** Characters that would end a principal or its site if they were in a group's name. */
const RESERVED = /[\s/%]/g;

/** Encodes the name of a group for its principal. */
export const encodeGroupName = (name: string): string => name.replace(RESERVED, encodeURIComponent);
