import type { ItemChange, PushItemsResponse } from '@lectern/contracts';
import type { ConnectorClient } from './connector-client.ts';

export interface NewItem {
  readonly title?: string;
  readonly principals?: readonly string[];
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly metadata?: Record<string, unknown>;
}

/** A put of a Markdown text. */
export const put = (id: string, revision: number, text: string, item: NewItem = {}): ItemChange => ({
  id,
  revision,
  change: {
    $case: 'put',
    value: {
      title: item.title ?? id,
      content: Buffer.from(text),
      fileName: item.fileName ?? 'item.md',
      mimeType: item.mimeType ?? 'text/markdown',
      url: undefined,
      author: undefined,
      updatedAt: undefined,
      metadata: item.metadata,
      principals: item.principals === undefined ? undefined : { values: [...item.principals] },
    },
  },
});

export const permissions = (id: string, revision: number, values: readonly string[]): ItemChange => ({
  id,
  revision,
  change: { $case: 'permissions', value: { values: [...values] } },
});

export const remove = (id: string, revision: number): ItemChange => ({
  id,
  revision,
  change: { $case: 'delete', value: {} },
});

/** Pushes changes to a connector, optionally as a part of a snapshot. */
export const push = (
  client: ConnectorClient,
  connectorId: string,
  changes: readonly ItemChange[],
  snapshotId?: string,
): Promise<PushItemsResponse> =>
  client.items.pushItems(
    { connectorId, changes: [...changes], snapshotId, invalidIds: [], hasInvalidId: false },
    client.as(),
  );
