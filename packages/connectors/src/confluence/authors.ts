import type { Content } from '#confluence/confluence-api';
import type { ConnectorCall } from '#connector';
import type { Accounts } from '#readers/accounts';
import type { Account } from '#readers/reader';

/** Returns the names of the authors of these versions, by content id. */
export async function authorsOf(
  accounts: Accounts,
  call: ConnectorCall,
  contents: readonly Content[],
): Promise<ReadonlyMap<string, string>> {
  const unnamed = contents.flatMap(({ author }) => (author.name === undefined ? (author.id ?? []) : []));
  const found = unnamed.length === 0 ? new Map<string, Account>() : await accounts.find(call, unnamed);
  const names = new Map<string, string>();
  for (const { id, author } of contents) {
    const name = author.name ?? (author.id === undefined ? undefined : found.get(author.id)?.name);
    if (name !== undefined) names.set(id, name);
  }
  return names;
}
