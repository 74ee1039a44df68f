const FORM = /^(?:public|user:\S+|group:\S+)$/;
const MAX_LENGTH = 320;

/**
 * Who may read a document, as documents name their readers: `public`, `user:<e-mail>`, `user:<source>:<id>`, `group:<source>:<id>`.
 * E-mail addresses compare without case, so they come back in lower case. Undefined for text of another form, over 320 characters, or
 * that PostgreSQL cannot store.
 */
export function toPrincipal(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !FORM.test(text)) return undefined;
  if (text.includes('\0') || !text.isWellFormed()) return undefined;
  return text.startsWith('user:') && text.includes('@') ? text.toLowerCase() : text;
}

/** The same for many, each once; those of another form name nobody and are left out. */
export function toPrincipals(texts: readonly string[]): string[] {
  return [...new Set(texts.map(toPrincipal).filter((principal) => principal !== undefined))];
}

/** The principal of an end user. */
export const userPrincipal = (email: string): string => `user:${email.trim().toLowerCase()}`;

/** Everyone whose e-mail address is of a domain, for sources that share with whole organisations. No source has to name the members. */
export const domainPrincipal = (domain: string): string => `group:domain:${domain.trim().toLowerCase()}`;
