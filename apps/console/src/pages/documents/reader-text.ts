import { t } from '#texts/texts.ts';

const USER = 'user:';
const GROUP = 'group:';
const DOMAIN = 'group:domain:';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Splits `<source>:<id>` or `<provider>/<name>`. Undefined for text without a source. */
function inSource(text: string): string | undefined {
  const end = text.search(/[:/]/);
  return end < 1 ? undefined : `${decoded(text.slice(end + 1))} (${text.slice(0, end)})`;
}

/** Describes a principal, who can read a document, for people. */
export function readerText(principal: string): string {
  if (principal === 'public') return t('documents.readers.public');
  if (principal.startsWith(DOMAIN)) return t('documents.readers.domain', { domain: principal.slice(DOMAIN.length) });
  if (principal.startsWith(GROUP)) {
    const name = principal.slice(GROUP.length);
    return t('documents.readers.group', { name: inSource(name) ?? decoded(name) });
  }
  if (!principal.startsWith(USER)) return principal;
  const user = principal.slice(USER.length);
  return user.includes('@') ? user : (inSource(user) ?? user);
}
