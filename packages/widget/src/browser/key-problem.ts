/** Why a key cannot be used. Without `publishableKey`, publishable keys can be used. */
interface KeyTexts {
  readonly keyMissing: string;
  readonly secretKey: string;
  readonly publishableKey?: string;
}

/** Returns why a key cannot be used, in words for the visitor. Undefined if it can. */
export function keyProblem(key: string, texts: KeyTexts): string | undefined {
  if (key === '') return texts.keyMissing;
  // Every visitor can read the key already. The error makes the site's owner notice.
  if (key.startsWith('lectern_sk_')) return texts.secretKey;
  return key.startsWith('lectern_pk_') ? texts.publishableKey : undefined;
}
