/** A user of nats-server, and the subjects that it may use; all of them where nothing is said. */
export type NatsUser = {
  readonly name: string;
  readonly password: string;
  readonly permissions?: NatsPermissions | undefined;
};

/** Subjects, with NATS' wildcards. */
export type NatsPermissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

const WORK = 'LECTERN_WORK';
/** Who connects makes the streams where they are missing. */
const STREAMS = [WORK, 'LECTERN_DEAD'].flatMap((stream) => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
]);

const toQueue = (queue: string): readonly string[] => [`lectern.work.${queue}`];

/** What a consumer of a queue publishes: requests for messages, acknowledgements (in both forms that servers know), and dead letters. */
const asConsumerOf = (queue: string): readonly string[] => [
  `lectern.dead.${queue}`,
  `$JS.API.CONSUMER.INFO.${WORK}.${queue}`,
  `$JS.API.CONSUMER.CREATE.${WORK}.${queue}`,
  `$JS.API.CONSUMER.CREATE.${WORK}.${queue}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${WORK}.${queue}`,
  `$JS.API.CONSUMER.MSG.NEXT.${WORK}.${queue}`,
  `$JS.ACK.${WORK}.${queue}.>`,
  `$JS.ACK.*.*.${WORK}.${queue}.>`,
];

const answersTo = (service: string): string => `_INBOX.${service}.>`;

/**
 * What each service may do, by the catalogue of `packages/messaging`; infra/nats/users.conf says the same. A service hears no answers but its own
 * (`_INBOX.<service>`).
 */
export const NATS_PERMISSIONS = {
  gateway: {
    publish: [...STREAMS, 'lectern.keys.>'],
    subscribe: [answersTo('gateway'), 'lectern.keys.>'],
  },
  collection: {
    publish: [
      ...STREAMS,
      'lectern.collections.>',
      'lectern.documents.>',
      ...toQueue('document-index'),
      ...asConsumerOf('document-index'),
    ],
    subscribe: [answersTo('collection')],
  },
  connector: {
    publish: [
      ...STREAMS,
      'lectern.sync.>',
      'lectern.sources.>',
      ...['sync-plan', 'sync-item'].flatMap((queue) => [...toQueue(queue), ...asConsumerOf(queue)]),
    ],
    subscribe: [
      answersTo('connector'),
      'lectern.sync.>',
      'lectern.sources.>',
      'lectern.collections.>',
      'lectern.documents.>',
    ],
  },
} as const satisfies Record<string, NatsPermissions>;

/** The block of a configuration file that demands a user and a password of every client. */
export function authorization(
  users: readonly NatsUser[],
  quote: (password: string) => string = JSON.stringify,
): string {
  return `authorization {
  users = [
${users.map((user) => `    ${entry(user, quote)}`).join('\n')}
  ]
}
`;
}

function entry({ name, password, permissions }: NatsUser, quote: (password: string) => string): string {
  const login = `user: ${name}, password: ${quote(password)}`;
  if (permissions === undefined) return `{ ${login} }`;
  const { publish, subscribe } = permissions;
  const list = (subjects: readonly string[]) =>
    `[\n${subjects.map((subject) => `          ${JSON.stringify(subject)}`).join('\n')}\n        ]`;
  return `{
      ${login}
      permissions: {
        publish: ${list(publish)}
        subscribe: ${list(subscribe)}
      }
    }`;
}
