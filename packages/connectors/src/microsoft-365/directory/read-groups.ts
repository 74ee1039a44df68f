import type { ConnectorCall } from '#connector';
import type { DirectoryApi, MemberKind } from '#microsoft-365/directory/directory-api';
import { directoryId } from '#microsoft-365/directory/directory-id';
import { isMember, principalOfGroup, principalOfOrganization, principalOfUser } from '#microsoft-365/directory/people';
import { BATCH_SIZE } from '#microsoft-365/graph-http';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceGroup } from '#source';

/** The maximum number of groups of one request for their people. */
const GROUPS_PER_STEP = BATCH_SIZE;

/** Yields the entries of a list; none if it is unreadable, so that its groups have no members. */
export async function* readable<T>(
  pages: AsyncIterable<{ readonly items: readonly T[] }>,
): AsyncGenerator<T, void, void> {
  try {
    for await (const page of pages) yield* page.items;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

/**
 * Yields all groups that can have access to files, with their people: security groups, Microsoft
 * 365 groups and their owners, and the organization.
 */
export async function* readGroups(
  { api, site }: { readonly api: DirectoryApi; readonly site: string },
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  const organization = new Set<string>();
  for await (const user of readable(api.allUsers(call))) {
    if (isMember(user) && user.accountEnabled === true) organization.add(principalOfUser(user));
  }
  yield { principal: principalOfOrganization(site), members: [...organization] };

  let step: { readonly id: string; readonly kind: MemberKind }[] = [];
  const read = async function* (): AsyncGenerator<SourceGroup, void, void> {
    const results = await api.people(call, step);
    for (const [at, { id, kind }] of step.entries()) {
      const result = results[at];
      const users = result === undefined || 'error' in result ? [] : result.value.items;
      yield {
        principal: principalOfGroup(site, directoryId(id), kind),
        members: [...new Set(users.map(principalOfUser))],
      };
    }
    step = [];
  };
  for await (const { id, groupTypes, securityEnabled } of readable(api.allGroups(call))) {
    const isUnified = groupTypes.includes('Unified');
    if (isUnified || securityEnabled) step.push({ id, kind: 'members' });
    if (isUnified) step.push({ id, kind: 'owners' });
    if (step.length >= GROUPS_PER_STEP) yield* read();
  }
  if (step.length > 0) yield* read();
}
