import type { Collection, Connector } from '#api/types.ts';
import type { Overview } from '#pages/overview/read-overview.ts';
import { plural } from '#ui/plural.ts';

/** Something that a person should look at. */
export interface Attention {
  readonly to: string;
  readonly name: string;
  /** What is wrong, and what to do. */
  readonly text: string;
}

const ofConnector = ({ id, name, status, statusReason }: Connector): Attention[] => {
  const to = `/connectors/${id}`;
  if (status === 'error')
    return [{ to, name, text: statusReason ?? 'The last sync failed. Open the connector to see why.' }];
  if (status === 'pending_auth')
    return [{ to, name, text: 'Waits for an authorization. Open the connector and select Authorize.' }];
  if (status === 'paused') return [{ to, name, text: statusReason ?? 'The connector is paused.' }];
  return [];
};

const ofCollection = ({ id, name, failedCount }: Collection): Attention[] =>
  failedCount === 0
    ? []
    : [
        {
          to: `/collections/${id}?status=failed`,
          name,
          text: `${plural(failedCount, 'document')} could not be indexed.`,
        },
      ];

/** Lists what needs a person, the sources first: they can be the reason for missing documents. */
export const attentionOf = ({ collections, connectors }: Overview): Attention[] => [
  ...connectors.flatMap(ofConnector),
  ...collections.flatMap(ofCollection),
];
