import type { Collection, Connector } from '#api/types.ts';
import type { Overview } from '#pages/overview/read-overview.ts';
import { t } from '#texts/texts.ts';

/** Something that a person should look at. */
export interface Attention {
  readonly to: string;
  readonly name: string;
  /** What is wrong, and what to do. */
  readonly text: string;
}

/** The statuses of a connector that need a person, with the text if the connector has no reason. */
const REASONS: Readonly<Partial<Record<Connector['status'], string>>> = {
  error: t('overview.reasons.error'),
  pending_auth: t('overview.reasons.pendingAuth'),
  paused: t('overview.reasons.paused'),
};

function ofConnector({ id, name, status, statusReason }: Connector): Attention[] {
  const reason = REASONS[status];
  return reason === undefined ? [] : [{ to: `/connectors/${id}`, name, text: statusReason ?? reason }];
}

const ofCollection = ({ id, name, failedCount }: Collection): Attention[] =>
  failedCount === 0
    ? []
    : [
        {
          to: `/collections/${id}?status=failed`,
          name,
          text: t('overview.notIndexed', { count: failedCount }),
        },
      ];

/** Lists what needs a person, the sources first: they can be the reason for missing documents. */
export const attentionOf = ({ collections, connectors }: Overview): Attention[] => [
  ...connectors.flatMap(ofConnector),
  ...collections.flatMap(ofCollection),
];
