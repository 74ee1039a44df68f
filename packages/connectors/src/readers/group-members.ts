import type { ConnectorCall } from '#connector';
import type { Accounts } from '#readers/accounts';
import type { UserReader } from '#readers/reader';
import { isUnreadable } from '#readers/reader-lists';

/**
 * Returns the principals of a group's members. A group that was deleted since its name was read, or
 * that is hidden, has those that were read before.
 */
export async function memberPrincipals(
  accounts: Accounts,
  call: ConnectorCall,
  members: AsyncIterable<UserReader>,
): Promise<string[]> {
  const found: UserReader[] = [];
  try {
    for await (const member of members) found.push(member);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return [...new Set(await accounts.principalsOf(call, found))];
}
