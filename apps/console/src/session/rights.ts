import type { OwnKey } from '#api/types.ts';
import { t } from '#texts/texts.ts';

export type Right = OwnKey['rights'][number];

/** The names of the rights of a secret key. */
export const RIGHT_NAMES: Readonly<Record<Right, string>> = {
  search: t('keys.rights.search.name'),
  chat: t('keys.rights.chat.name'),
  'documents:read': t('keys.rights.readDocuments.name'),
  'documents:write': t('keys.rights.changeDocuments.name'),
  connectors: t('keys.rights.connectors.name'),
  agents: t('keys.rights.agents.name'),
  analytics: t('keys.rights.analytics.name'),
  keys: t('keys.rights.keys.name'),
};
