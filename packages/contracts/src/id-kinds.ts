/** The prefix of each resource's ids. */
export const ID_PREFIXES = {
  team: 'team',
  key: 'key',
  userToken: 'utk',
  person: 'per',
  invitation: 'inv',
  session: 'ses',
  identityProvider: 'idp',
  group: 'grp',
  passkey: 'psk',
  scimToken: 'sct',
  appClient: 'acl',
  app: 'app',
  slackApp: 'slk',
  collection: 'col',
  space: 'spc',
  document: 'doc',
  synonym: 'syn',
  search_rule: 'rule',
  connector: 'con',
  job: 'job',
  item: 'item',
  file: 'file',
  snapshot: 'snap',
  agent: 'agt',
  template: 'tpl',
  memory: 'mem',
  conversation: 'conv',
  message: 'msg',
  run: 'run',
  tool_server: 'tsv',
  model_endpoint: 'mep',
  approval: 'apr',
  schedule: 'sch',
  schedule_run: 'srun',
  request: 'req',
  audit: 'aud',
  event: 'evt',
  search: 'srch',
  test_case: 'case',
  test_run: 'trun',
  webhook: 'whk',
  webhookEvent: 'wev',
  delivery: 'dlv',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the pattern of the ids of a kind. */
export const idPattern = (kind: IdKind): RegExp => new RegExp(`^${ID_PREFIXES[kind]}_${SUFFIX.source.slice(1)}`);

/** Returns true for a well-formed id of the kind. The resource may not exist. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return value.startsWith(prefix) && SUFFIX.test(value.slice(prefix.length));
}
