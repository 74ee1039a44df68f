/** A NATS user and the subjects that it can use. Without permissions, it can use all subjects. */
export type NatsUser = {
  readonly name: string;
  readonly password: string;
  readonly permissions?: NatsPermissions | undefined;
};

/** Subjects, with NATS wildcards. */
export type NatsPermissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

const WORK = 'LECTERN_WORK';
/** Services create missing streams when they connect. */
const STREAMS = [WORK, 'LECTERN_DEAD'].flatMap((stream) => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
]);

const toQueue = (queue: string): readonly string[] => [`lectern.work.${queue}`];

/**
 * The subjects that a queue consumer publishes to: message requests, acknowledgments (in both forms
 * that servers accept) and dead letters.
 */
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

const repliesTo = (service: string): string => `_INBOX.${service}.>`;

/**
 * The permissions of each service, according to the catalog of `packages/messaging`.
 * infra/nats/users.conf has the same list. A service receives only replies to its own requests
 * (`_INBOX.<service>`).
 */
export const NATS_PERMISSIONS = {
  gateway: {
    publish: [...STREAMS, 'lectern.keys.>'],
    subscribe: [repliesTo('gateway'), 'lectern.keys.>'],
  },
  collection: {
    publish: [
      ...STREAMS,
      'lectern.collections.>',
      'lectern.documents.>',
      ...toQueue('document-index'),
      ...asConsumerOf('document-index'),
    ],
    subscribe: [repliesTo('collection')],
  },
  connector: {
    publish: [
      ...STREAMS,
      'lectern.sync.>',
      'lectern.sources.>',
      ...['sync-plan', 'sync-item'].flatMap((queue) => [...toQueue(queue), ...asConsumerOf(queue)]),
    ],
    subscribe: [
      repliesTo('connector'),
      'lectern.sync.>',
      'lectern.sources.>',
      'lectern.collections.>',
      'lectern.documents.>',
    ],
  },
} as const satisfies Record<string, NatsPermissions>;

/** Returns the configuration block that requires a user and a password from every client. */
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
